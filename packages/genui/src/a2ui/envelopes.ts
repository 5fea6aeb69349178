import { formatPointer, isObject, type JsonObject, type SurfaceOp } from '@vitrine/protocol'
import type { UiCode } from '../codes.ts'
import { problem, type UiDiagnostic } from '../diagnostic.ts'
import { clip, showJson } from '../json.ts'
import { wrapped } from './envelope-lists.ts'
import { idProblem } from './normalise.ts'
import { EnvelopeRefusal, unreadable } from './refusal.ts'
import { toJson } from './to-json.ts'
import { isVersion } from './version.ts'

/** What became of one envelope: the operations that it made, or why it was refused and changed nothing. */
export type EnvelopeResult =
  | { ok: true; surfaceId: string; ops: SurfaceOp[]; diagnostics?: UiDiagnostic[] }
  | { ok: false; surfaceId?: string; code: UiCode; path: string; error: string }

/** What became of the envelopes of one call, in their order. */
export type ApplyResult = { applied: number; failed: number; results: EnvelopeResult[] }

const MOST_PATH = 500
const MOST_MESSAGE = 2_000

const KINDS = ['createSurface', 'updateComponents', 'updateDataModel', 'deleteSurface'] as const

/** What an envelope is about: exactly one of its members has this name. */
export type EnvelopeKind = (typeof KINDS)[number]

/** The envelopes of a tool call, in the forms that models produce: the object, the list, one envelope, or JSON text. */
export function toEnvelopes(input: unknown): unknown[] {
  let given = input
  // Each form may stand in another one, but nobody means more than a few of them.
  for (let round = 0; round < 8; round++) {
    if (Array.isArray(given)) return given
    if (typeof given === 'string') {
      try {
        given = JSON.parse(given)
      } catch {
        return [given]
      }
    } else if (isObject(given) && wrapped(given) !== undefined) given = wrapped(given)
    else break
  }
  return [given]
}

/** The kind of an envelope, once its frame is right: its version, and exactly one kind. */
export function envelopeKind(given: unknown): EnvelopeKind {
  if (!isObject(given)) throw new EnvelopeRefusal('invalid_envelope', '', 'An envelope is an object.')
  const { version } = given
  if (!isVersion(version))
    throw new EnvelopeRefusal(
      'version_mismatch',
      '/version',
      version === undefined
        ? `Validation failed: 'version' is a required property, set it to "v0.9".`
        : `Version ${showJson(version)} is not supported: set it to "v0.9" or "v0.9.1".`,
    )
  let kind: EnvelopeKind | undefined
  for (const name of KINDS) {
    if (given[name] === undefined) continue
    if (kind) throw wrongKinds(`${kind} and ${name}`)
    kind = name
  }
  if (!kind) throw wrongKinds('none')
  return kind
}

const wrongKinds = (found: string): EnvelopeRefusal =>
  new EnvelopeRefusal(
    'invalid_envelope',
    '',
    `Validation failed: an envelope carries exactly one of ${KINDS.join(', ')}; this one has ${found}. Send one envelope for each.`,
  )

/** What an envelope says, once it names its surface. */
export function envelopeBody(
  given: unknown,
  kind: EnvelopeKind,
  maxValues: number,
): JsonObject & { surfaceId: string } {
  const raw = (given as JsonObject)[kind]
  // The value of a data update is read where it is used: it is the one thing that comes often.
  const body = kind === 'updateDataModel' ? raw : toJson(raw, maxValues, `/${kind}`)
  if (!isObject(body)) throw new EnvelopeRefusal('validation_failed', `/${kind}`, `'${kind}' is an object.`)
  const { surfaceId } = body
  if (typeof surfaceId !== 'string' || surfaceId === '')
    throw new EnvelopeRefusal(
      'validation_failed',
      `/${kind}/surfaceId`,
      `Validation failed: 'surfaceId' is a required property, a text that names the surface.`,
    )
  const wrong = idProblem(surfaceId)
  if (wrong) throw unreadable(wrong, `/${kind}/surfaceId`)
  return body as JsonObject & { surfaceId: string }
}

const MEMBERS: Readonly<Record<EnvelopeKind, readonly string[]>> = {
  createSurface: ['surfaceId', 'catalogId', 'theme', 'root', 'components', 'dataModel', 'sendDataModel'],
  updateComponents: ['surfaceId', 'components', 'replace', 'delete'],
  updateDataModel: ['surfaceId', 'path', 'value'],
  deleteSurface: ['surfaceId'],
}

const NONE: readonly never[] = []

/** What an envelope says that nobody reads. */
export function unreadMembers(given: JsonObject, kind: EnvelopeKind, body: JsonObject): readonly UiDiagnostic[] {
  let found: UiDiagnostic[] | undefined
  for (const key of Object.keys(given))
    if (key !== 'version' && key !== kind && given[key] !== undefined) {
      found ??= []
      found.push(unreadMember([key], ['version', kind]))
    }
  const known = MEMBERS[kind]
  for (const key of Object.keys(body))
    if (!known.includes(key) && body[key] !== undefined) {
      found ??= []
      found.push(unreadMember([kind, key], known))
    }
  return found ?? NONE
}

const unreadMember = (path: readonly string[], known: readonly string[]): UiDiagnostic =>
  problem('unknown_field', `${showJson(path.at(-1))} is not read; known are ${known.join(', ')}.`, formatPointer(path))

/** The result of an envelope that failed with this error. */
export function refusedEnvelope(error: unknown, surfaceId: string | undefined): EnvelopeResult & { ok: false } {
  // A catalog of the host that throws, a getter of the agent's object: this envelope fails and no other.
  const { code, path, message } =
    error instanceof EnvelopeRefusal
      ? error
      : { code: 'not_applied' as const, path: '', message: `The envelope could not be applied: ${why(error)}.` }
  const told = { code, path: clip(path, MOST_PATH), error: clip(message, MOST_MESSAGE) }
  return surfaceId === undefined ? { ok: false, ...told } : { ok: false, surfaceId, ...told }
}

/** What an agent sent may be of any length; what it is told of it is not. */
export const inShort = (found: UiDiagnostic): UiDiagnostic => ({
  ...found,
  path: clip(found.path, MOST_PATH),
  message: clip(found.message, MOST_MESSAGE),
})

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error))
