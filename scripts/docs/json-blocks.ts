// Checks the JSON blocks of the documents against the schemas that the packages publish.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogFromJson, Surfaces } from '@vitrine/genui/a2ui'
import { validateHints } from '@vitrine/genui/hints'
import { validateSchema } from '@vitrine/genui/schema'
import { apply, createState, type JsonObject, type SessionEvent, verify } from '@vitrine/protocol'
import { jsonSchemas } from '@vitrine/protocol/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readRows } from '../requirements.ts'
import type { Block } from './documents.ts'

/** Gives what is wrong with the value of a block. */
type Check = (value: unknown) => unknown[]

const ajv = new Ajv2020({ strict: false, validateFormats: false })

function againstSchema(schema: object): Check {
  const validate = ajv.compile(schema)
  return value => (validate(value) ? [] : (validate.errors ?? []))
}

/** A history that one session can have: each event is legal after those before it. */
function history(value: unknown): unknown[] {
  if (!Array.isArray(value)) return ['a history is a list of events']
  const state = createState((value[0] as SessionEvent).sessionId)
  return value.flatMap((event: SessionEvent) => {
    const violation = verify(state, event)
    apply(state, event)
    return violation ? [violation] : []
  })
}

/** Rows as `docs/requirements/` holds them. */
function requirements(value: unknown): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-rows-'))
  try {
    writeFileSync(join(folder, 'rows.json'), JSON.stringify(value))
    return readRows(folder).problems
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const published = jsonSchemas()
const anyEvent = againstSchema(published.event!)

/** What the second word of the info string can be, beside the name of any published schema. */
const kinds: Readonly<Record<string, Check>> = {
  events: value =>
    Array.isArray(value) ? [...value.flatMap(event => anyEvent(event)), ...history(value)] : history(value),
  // An event as an agent or the runtime gives it to the log, which adds its place.
  draft: value => anyEvent({ seq: 1, sessionId: 's', at: 1, ...(value as object) }),
  requirements,
  // The settings with which programs.ts checks all programs, beside our own.
  tsconfig: value => ('compilerOptions' in (value as object) ? [] : ['there are no compilerOptions']),
  hints: value => validateHints(value),
  'ui-schema': value => validateSchema(value),
  catalog: value => {
    const { ids, components } = catalogFromJson(value as JsonObject)
    return ids[0] && components.size > 0 ? [] : ['a catalog has a catalogId and components']
  },
  a2ui: value => new Surfaces().apply(Array.isArray(value) ? value : [value]).results.filter(({ ok }) => !ok),
}

export const kindOf = ({ words: [kind = ''] }: Block): string | undefined =>
  Object.hasOwn(kinds, kind) || Object.hasOwn(published, kind) ? kind : undefined

export function jsonProblems(block: Block): unknown[] {
  const kind = kindOf(block)!
  return (kinds[kind] ?? againstSchema(published[kind]!))(JSON.parse(block.code))
}
