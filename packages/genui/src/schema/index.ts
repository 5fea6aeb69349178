export { actionProblem, mediaProblem, pathProblem, urlProblem } from './action.ts'
export { type Diagnostic, type DiagnosticLevel, pointer, UiSchemaError } from './diagnostic.ts'
export { type ReadSchemaOptions, readSchema, validateSchema, writeSchema } from './document.ts'
export { buttonsOf, fieldError, fieldsOf, formErrors, initialValue, submits } from './fields.ts'
export { jsonSchema } from './json-schema.ts'
export { defaultLimits, type Limits } from './limits.ts'
export {
  builtinLocales,
  fill,
  type Locales,
  localizeLabel,
  type Messages,
  messagesFor,
  statusToken,
} from './locale.ts'
export { locate, type Position, positionAt } from './locate.ts'
export {
  type ButtonStyle,
  type ChartKind,
  type CopyAction,
  type EventAction,
  type IconSource,
  type InputKind,
  type LayoutAlign,
  type LayoutAppearance,
  type LayoutDirection,
  type LayoutJustify,
  type NavigateAction,
  type PayloadAction,
  type RendererTheme,
  type ResolvedGrid,
  type ResolvedLayout,
  type ResolvedNode,
  type ResolvedStack,
  type ResolvedUiNode,
  type ResolvedUiSchema,
  renderer as uiSchemaShape,
  type TextFormat,
  type TextRole,
  type ToolAction,
  type UiActionPayload,
  type UiBadgeNode,
  type UiButtonNode,
  type UiChartNode,
  type UiChartSeries,
  type UiConfirm,
  type UiDividerNode,
  type UiFieldNode,
  type UiFieldOption,
  type UiGridNode,
  type UiIconNode,
  type UiIconSpec,
  type UiImageNode,
  type UiKvItem,
  type UiKvNode,
  type UiLayoutNode,
  type UiNode,
  type UiProgressNode,
  type UiSchemaRenderer,
  type UiStackNode,
  type UiStatus,
  type UiTableColumn,
  type UiTableNode,
  type UiTextNode,
  type UiUnknownNode,
  type UrlAction,
  uiSchemaVersion,
} from './nodes.ts'
export { diffSchema, type PatchedSchema, patchSchema, type SchemaPatch } from './patch.ts'
export { matchesPattern, patternProblem } from './pattern.ts'
export { type ReadOptions, type ReadResult, read as readShape } from './read.ts'
export { type TextOptions, toMarkdown, toText } from './text.ts'
export { visibleControls } from './visible.ts'
