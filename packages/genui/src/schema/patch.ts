import {
  createMeter,
  formatPointer,
  isObject,
  type Json,
  jsonEqual,
  type PatchOperation,
  parsePointer,
} from '@vitrine/protocol'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import { validateSchema } from './document.ts'
import type { UiSchemaRenderer } from './nodes.ts'

/** A JSON patch (RFC 6902) of a document. */
export type SchemaPatch = readonly PatchOperation[]

/** The patched document, or why the patch is refused. */
export type PatchedSchema =
  | { readonly ok: true; readonly schema: UiSchemaRenderer }
  | { readonly ok: false; readonly diagnostics: readonly UiDiagnostic[] }

/**
 * RFC 6902 on a schema, all or nothing: the result is legal or the patch is refused. The schema that was given
 * is not changed, and the result shares with it every part that the patch did not touch.
 */
export function patchSchema(schema: UiSchemaRenderer, patch: SchemaPatch, limits?: Partial<UiLimits>): PatchedSchema {
  let document = schema as unknown as Json
  const meter = createMeter()
  for (const [index, operation] of patch.entries()) {
    document = copyAlong(document, operation.path)
    if ('from' in operation) document = copyAlong(document, operation.from)
    const result = meter.apply(document, [operation])
    if (!result.ok) {
      const wrong = problem('patch_failed', `operation ${index}: ${result.reason}`, operation.path)
      return { ok: false, diagnostics: [wrong] }
    }
    document = result.value
  }
  const diagnostics = validateSchema(document, limits)
  if (diagnostics.length > 0) return { ok: false, diagnostics }
  return { ok: true, schema: document as unknown as UiSchemaRenderer }
}

/** Copies the containers from the root to the parent of a path; everything beside the path stays shared. */
function copyAlong(root: Json, path: string): Json {
  const tokens = parsePointer(path)
  if (!tokens) return root
  const top = shallow(root)
  let at = top
  for (const token of tokens.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, token)) break
    const holder = at as { [key: string]: Json }
    const next = shallow(holder[token]!)
    holder[token] = next
    at = next
  }
  return top
}

const shallow = (value: Json): Json =>
  Array.isArray(value) ? [...value] : typeof value === 'object' && value !== null ? { ...value } : value

/** A short patch that turns one schema into another. Arrays are compared by position; what grows is appended. */
export function diffSchema(before: UiSchemaRenderer, after: UiSchemaRenderer): SchemaPatch {
  const patch: SchemaPatch[number][] = []
  diff(before as unknown as Json, after as unknown as Json, [], patch)
  return patch
}

function diff(before: Json, after: Json, path: readonly string[], patch: SchemaPatch[number][]): void {
  if (jsonEqual(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    const common = Math.min(before.length, after.length)
    for (let index = 0; index < common; index++) diff(before[index]!, after[index]!, [...path, String(index)], patch)
    for (let index = before.length - 1; index >= common; index--)
      patch.push({ op: 'remove', path: formatPointer([...path, String(index)]) })
    for (let index = common; index < after.length; index++)
      patch.push({ op: 'add', path: formatPointer([...path, '-']), value: after[index]! })
    return
  }
  if (isObject(before) && isObject(after) && sameNode(before, after)) {
    for (const key of Object.keys(before))
      if (!Object.hasOwn(after, key)) patch.push({ op: 'remove', path: formatPointer([...path, key]) })
    for (const key of Object.keys(after))
      if (!Object.hasOwn(before, key))
        patch.push({ op: 'add', path: formatPointer([...path, key]), value: after[key]! })
      else diff(before[key]!, after[key]!, [...path, key], patch)
    return
  }
  patch.push({ op: 'replace', path: formatPointer(path), value: after })
}

/** Nodes and actions of different types share no fields worth patching one by one. */
const sameNode = (before: { [key: string]: Json }, after: { [key: string]: Json }): boolean =>
  before.type === after.type
