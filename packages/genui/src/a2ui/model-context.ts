import type { Json } from '@vitrine/protocol'
import type { UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import type { CatalogFunction } from './expression.ts'
import type { LayeredData } from './layered-data.ts'
import type { TreeNode } from './node-tree.ts'
import type { PatternAnswers } from './pattern-answers.ts'

/** What the parts of a surface model share. */
export interface ModelContext {
  readonly data: LayeredData
  /** What a person typed into fields that are bound to nothing, by node. */
  readonly fields: Map<string, Json>
  readonly functions: ReadonlyMap<string, CatalogFunction>
  readonly locale: string | undefined
  readonly timeZone: string | undefined
  readonly limits: UiLimits
  /** Without it a pattern that is not linear never matches. */
  readonly patterns: PatternAnswers<TreeNode> | undefined
  report(diagnostic: UiDiagnostic): void
  /** Is told each node that is no longer drawn. */
  released(node: TreeNode): void
}
