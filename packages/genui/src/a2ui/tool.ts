import type { JsonObject } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import type { UiDiagnostic } from '../diagnostic.ts'
import type { UiToolDefinition } from '../tool.ts'
import { BASIC_CATALOG_ID } from './catalog-ids.ts'
import type { ApplyResult } from './envelopes.ts'
import type { Surfaces } from './surfaces.ts'

const component: JsonObject = {
  type: 'object',
  description:
    'Nested form: {id, type, props, children}. Public form: {id, component, ...properties, child/children as ids}.',
  properties: {
    id: { type: 'string', description: 'Unique on the surface; keep it stable over updates.' },
    type: { type: 'string' },
    component: { type: 'string' },
    props: { type: 'object' },
    children: {
      description: 'Components, ids of components, or {componentId, path} to repeat one for each item of a list.',
    },
  },
  required: ['id'],
}

const surfaceId: JsonObject = { type: 'string', description: 'Reuse the same id to change a surface in place.' }

const envelope: JsonObject = {
  type: 'object',
  description: 'Exactly one of createSurface, updateComponents, updateDataModel, deleteSurface.',
  properties: {
    version: { type: 'string', enum: ['v0.9', 'v0.9.1'] },
    createSurface: {
      type: 'object',
      properties: {
        surfaceId,
        catalogId: { type: 'string', default: BASIC_CATALOG_ID },
        theme: { type: 'object', properties: { primaryColor: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' } } },
        root: component,
        dataModel: { type: 'object' },
        sendDataModel: { type: 'boolean' },
      },
      required: ['surfaceId', 'catalogId'],
    },
    updateComponents: {
      type: 'object',
      properties: {
        surfaceId,
        components: { type: 'array', items: component, description: 'Added, or replaced where the id exists.' },
        replace: {
          type: 'object',
          properties: { id: { type: 'string' }, component },
          required: ['id', 'component'],
          description: 'A component and everything below it.',
        },
        delete: { type: 'array', items: { type: 'string' }, description: 'Ids of components to delete.' },
      },
      required: ['surfaceId'],
    },
    updateDataModel: {
      type: 'object',
      properties: {
        surfaceId,
        path: { type: 'string', description: 'JSON pointer; the whole model when left out.' },
        value: { description: 'The new value; left out, the path is deleted.' },
      },
      required: ['surfaceId'],
    },
    deleteSurface: { type: 'object', properties: { surfaceId }, required: ['surfaceId'] },
  },
  required: ['version'],
}

/** The definition of the tool `a2ui`, as frameworks for agents take it. */
export const a2uiTool: UiToolDefinition = {
  name: 'a2ui',
  description:
    'Draws forms, cards, tables and other UI in the conversation, and changes them. Use it when the shape of the answer ' +
    'warrants a UI; answer prose as prose. Returns {applied, failed, results}; read the error of a failed entry and send ' +
    'a corrected envelope.',
  inputSchema: {
    type: 'object',
    properties: { envelopes: { type: 'array', items: envelope, minItems: 1 } },
    required: ['envelopes'],
  },
}

/** A diagnostic in as few tokens as it takes. */
export type ToldDiagnostic = { code: UiCode; path?: string; componentId?: string; message: string }

/** What an agent reads about one of its envelopes: what of it nobody will see as it was meant, or why it was refused. */
export type ToldEnvelope =
  | { ok: true; surfaceId: string; diagnostics?: ToldDiagnostic[] }
  | { ok: false; surfaceId?: string; code: UiCode; path?: string; error: string }

/** What an agent reads after a call, for the envelopes in their order, with notes on the surfaces as they are now. */
export type A2uiToolResult = {
  applied: number
  failed: number
  results: ToldEnvelope[]
  notes?: (ToldDiagnostic & { surfaceId: string })[]
}

/** What the agent reads after a call: no operations, but what it must correct and what nobody will see. */
export function a2uiToolResult(surfaces: Surfaces, { applied, failed, results }: ApplyResult): A2uiToolResult {
  const touched = new Set(results.flatMap(entry => (entry.ok ? [entry.surfaceId] : [])))
  const notes = [...touched].flatMap(id =>
    surfaces
      .inspect(id)
      .slice(0, 10)
      .map(note => ({ surfaceId: id, ...told(note) })),
  )
  return {
    applied,
    failed,
    results: results.map(entry => {
      if (!entry.ok) return entry
      const { ok, surfaceId: id, diagnostics } = entry
      return { ok, surfaceId: id, ...(diagnostics && { diagnostics: diagnostics.slice(0, 10).map(told) }) }
    }),
    ...(notes.length > 0 && { notes }),
  }
}

const told = ({ code, path, componentId, message }: UiDiagnostic): ToldDiagnostic => ({
  code,
  ...(path !== '' && { path }),
  ...(componentId !== undefined && { componentId }),
  message,
})
