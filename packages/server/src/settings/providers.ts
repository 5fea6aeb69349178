import type {
  Answer,
  Command,
  JsonObject,
  ListedModel,
  ModelInfo,
  Problem,
  ProviderInfo,
  ProviderKind,
  ProviderTest,
} from '@vitrine/protocol'
import { AgentError } from '../agents/agent-error.ts'
import type { GivenProvider, ModelSource, ProviderAccess, ProviderVerdict } from '../agents/model-source.ts'
import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'
import type { SettingsStore } from '../storage/settings-store.ts'
import { isOnThisMachine, readAddress } from './addresses.ts'
import { type Seals, SealsBroken } from './seals.ts'
import { checkMayHaveSettings, isOwner } from './who-may.ts'
import { withoutSecret } from './without-secret.ts'

/** How many providers a person may connect. */
const MOST = 200
/** Models of one provider that are shown at most. */
const MOST_MODELS = 2_000
/** How long a provider may take to list its models. */
const TEST_MS = 5_000
/** How long what a provider has listed counts, and how long its failure does. */
const FRESH_MS = 300_000
const FAILED_MS = 15_000

/** What is stored of a provider. */
interface ProviderData {
  kind: string
  name?: string
  address?: string
  /** The key, sealed. */
  sealed?: string
  keySetAt?: number
}

/** A provider of somebody: one of their own, or one that was given for everybody. */
interface Connected {
  providerId: string
  data: ProviderData
  version: number
  given?: GivenProvider
}

export interface ProvidersOptions {
  storage: SettingsStore
  seals: Seals
  models: ModelSource
  now(): number
  report(line: string, error: unknown): void
}

/** What others have to know of a provider that somebody has connected. */
export interface KnownProvider {
  name: string
  kind: string
  isLocal: boolean
  /** Why its models cannot answer now. */
  problem?: { code: string; message: string; next?: string }
}

/** The providers of models that people have connected. */
export interface Providers {
  listProviders(who: Principal): Promise<Answer<'ProviderList'>>
  saveProvider(who: Principal, providerId: string, command: Command<'saveProvider'>): Promise<Answer<'ProviderSaved'>>
  deleteProvider(who: Principal, providerId: string): Promise<void>
  testProvider(who: Principal, command: Command<'testProvider'>): Promise<Answer<'ProviderTested'>>
  listModels(who: Principal, query: { fresh: boolean }): Promise<Answer<'ModelList'>>
  /** How a provider is reached. Throws an AgentError that says what is missing, for the run that needs it. */
  access(owner: string, providerId: string): Promise<ProviderAccess>
  /** What is known of all providers of a person, by their ids. */
  known(owner: string): Promise<Map<string, KnownProvider>>
}

type FieldErrors = NonNullable<Problem['errors']>

export function createProviders({ storage, seals, models, now, report }: ProvidersOptions): Providers {
  const listed = new Map<string, { verdict: ProviderVerdict; until: number }>()
  const kindOf = (kind: string): ProviderKind | undefined => models.kinds.find(one => one.kind === kind)

  const fromGiven = (given: GivenProvider): Connected => {
    const { providerId, kind, name, baseURL: address } = given
    const place = address === undefined || address === kindOf(kind)?.defaultAddress ? {} : { address }
    return { providerId, given, version: 0, data: { kind, ...(name && { name }), ...place } }
  }

  async function all(owner: string): Promise<Connected[]> {
    const own = await storage.settings(owner, 'provider')
    return [
      ...(models.given ?? []).map(fromGiven),
      ...own.map(({ id, version, data }) => ({ providerId: id, version, data: data as unknown as ProviderData })),
    ]
  }

  async function find(owner: string, providerId: string): Promise<Connected | undefined> {
    const given = models.given?.find(one => one.providerId === providerId)
    if (given) return fromGiven(given)
    const own = await storage.setting(owner, 'provider', providerId)
    return own && { providerId, version: own.version, data: own.data as unknown as ProviderData }
  }

  /** The key that is set. One that cannot be opened counts as none, and is told as lost. */
  async function keyOf(owner: string, { providerId, data, given }: Connected): Promise<string | undefined> {
    if (given) return given.apiKey
    return data.sealed === undefined ? undefined : seals.open(data.sealed, aboutKey(owner, providerId))
  }

  const addressOf = ({ data }: Connected): string | undefined => data.address ?? kindOf(data.kind)?.defaultAddress
  const nameOf = ({ data }: Connected): string => data.name ?? kindOf(data.kind)?.name ?? data.kind

  async function infoOf(owner: string, connected: Connected): Promise<ProviderInfo> {
    const { providerId, data, version, given } = connected
    const isSet = given ? given.apiKey !== undefined : data.sealed !== undefined
    const problem = isSet ? await lostKey(owner, connected) : undefined
    const lastTest = await storage.setting(owner, 'provider-test', providerId)
    return {
      providerId,
      kind: data.kind,
      name: nameOf(connected),
      ...(data.address !== undefined && { address: data.address }),
      isLocal: isOnThisMachine(addressOf(connected)),
      from: given ? 'environment' : 'settings',
      key: {
        state: problem ? 'lost' : isSet ? 'set' : 'none',
        ...(data.keySetAt !== undefined && { setAt: data.keySetAt }),
      },
      ...(lastTest && { lastTest: lastTest.data as unknown as ProviderTest }),
      version,
    }
  }

  async function lostKey(owner: string, connected: Connected): Promise<string | undefined> {
    try {
      await keyOf(owner, connected)
      return undefined
    } catch (error) {
      if (error instanceof SealsBroken) return error.message
      throw error
    }
  }

  const own = async (who: Principal, providerId: string): Promise<Connected> => {
    const found = await find(who.id, providerId)
    if (!found) throw notFound()
    if (!found.given) return found
    const next = 'Change it where the server is started, or connect another one.'
    throw new Refusal('provider_fixed', 'This provider was connected by whoever started the server.', { next })
  }

  /** What was given for a provider, checked. `stored` is what its key was entered for. */
  function check(
    who: Principal,
    { kind, address: given, key: pasted }: Pick<Command<'saveProvider'>, 'kind' | 'address' | 'key'>,
    stored?: { data: ProviderData; hasKey: boolean },
  ): { address?: string; key: string | null | undefined } {
    const errors: FieldErrors = []
    const found = kindOf(kind)
    if (!found) {
      const known = models.kinds.map(one => one.kind).join(', ')
      const detail = known === '' ? 'This server offers no models.' : `There is no such kind. The kinds are ${known}.`
      throw invalid([{ path: '/kind', detail }])
    }
    let address: string | undefined
    if (typeof given === 'string') {
      const read = readAddress(given)
      if ('wrong' in read) errors.push({ path: '/address', detail: read.wrong })
      else if (found.address === 'none')
        errors.push({ path: '/address', detail: `The address of ${found.name} is fixed.` })
      else if (read.address !== found.defaultAddress) address = read.address
    } else if (found.address === 'required') errors.push({ path: '/address', detail: 'The address is missing.' })
    const key = typeof pasted === 'string' ? pasted.trim() : pasted
    if (typeof key === 'string') {
      if (found.key === 'none') errors.push({ path: '/key', detail: `${found.name} takes no key.` })
      else if (!/^[\x21-\x7e]+$/.test(key))
        errors.push({ path: '/key', detail: 'There are characters in it that no key has. Copy it again.' })
    } else if (
      key === undefined &&
      stored?.hasKey &&
      (stored.data.kind !== kind || (stored.data.address ?? undefined) !== address)
    ) {
      // Otherwise whoever sits at the browser could have the key sent to a server of theirs.
      const detail = 'The key was entered for another address. Enter it again, or take it away.'
      errors.push({ path: '/key', detail })
    }
    if (errors.length > 0) throw invalid(errors)
    const isPublic = found.presets?.some(preset => preset.address === address && !isOnThisMachine(address))
    if (address !== undefined && !isPublic && !isOwner(who)) {
      const why = 'Only the owner of the installation may name an address.'
      throw new Refusal('not_owner', why, { path: '/address', next: 'Ask the owner to connect it.' })
    }
    return { key, ...(address !== undefined && { address }) }
  }

  /** Asks the source of models. Whatever it says or throws, the key is not in it. */
  async function tried(access: ProviderAccess): Promise<{ verdict: ProviderVerdict; ms: number }> {
    const kind = kindOf(access.kind)
    const began = now()
    if (kind?.key === 'required' && access.apiKey === undefined) return { verdict: keyMissing(kind.name), ms: 0 }
    const verdict = await models.test(access, AbortSignal.timeout(TEST_MS)).catch((error: unknown): ProviderVerdict => {
      const message = error instanceof Error ? error.message : String(error)
      return { ok: false, code: 'provider_failed', message: `The test failed: ${message}`, next: 'Try again.' }
    })
    return { verdict: cleaned(verdict, access.apiKey), ms: Math.max(0, now() - began) }
  }

  function remember(owner: string, { providerId }: { providerId: string }, verdict: ProviderVerdict): void {
    const until = now() + (verdict.ok ? FRESH_MS : FAILED_MS)
    listed.set(JSON.stringify([owner, providerId]), { verdict, until })
  }
  const forget = (owner: string, providerId: string): boolean => listed.delete(JSON.stringify([owner, providerId]))

  async function accessOf(owner: string, connected: Connected): Promise<ProviderAccess> {
    const key = await keyOf(owner, connected)
    const { kind, address } = connected.data
    return { kind, ...(address !== undefined && { baseURL: address }), ...(key !== undefined && { apiKey: key }) }
  }

  async function modelsOf(owner: string, connected: Connected, fresh: boolean): Promise<ProviderVerdict> {
    const kept = listed.get(JSON.stringify([owner, connected.providerId]))
    if (kept && !fresh && kept.until > now()) return kept.verdict
    const access = await accessOf(owner, connected).catch((error: unknown) => {
      if (error instanceof SealsBroken) return error
      throw error
    })
    const verdict = access instanceof SealsBroken ? keyLost(access) : (await tried(access)).verdict
    remember(owner, connected, verdict)
    return verdict
  }

  return {
    async listProviders(who) {
      checkMayHaveSettings(who)
      const connected = await all(who.id)
      const providers = await Promise.all(connected.map(one => infoOf(who.id, one)))
      const keyProblem = await seals.problem()
      return { kinds: [...models.kinds], providers, ...(keyProblem !== undefined && { keyProblem }) }
    },

    async saveProvider(who, providerId, command) {
      checkMayHaveSettings(who)
      const before = (await find(who.id, providerId)) && (await own(who, providerId))
      const expected = command.version ?? before?.version ?? 0
      if (expected !== (before?.version ?? 0)) throw changed()
      const stored = before && { data: before.data, hasKey: before.data.sealed !== undefined }
      const { address, key } = check(who, command, stored)
      if (!before && (await storage.settings(who.id, 'provider')).length >= MOST) throw full(MOST, 'providers')
      const data: ProviderData = {
        kind: command.kind,
        ...(command.name !== undefined
          ? { name: command.name }
          : before?.data.name !== undefined && { name: before.data.name }),
        ...(address !== undefined && { address }),
      }
      if (typeof key === 'string') {
        data.sealed = await sealed(key, aboutKey(who.id, providerId))
        data.keySetAt = now()
      } else if (key === undefined && before?.data.sealed !== undefined) {
        data.sealed = before.data.sealed
        if (before.data.keySetAt !== undefined) data.keySetAt = before.data.keySetAt
      }
      const setting = { kind: 'provider', id: providerId, data: data as unknown as JsonObject }
      const version = await storage.saveSetting(who.id, setting, before?.version ?? 0)
      if (version === undefined) throw changed()
      // What an earlier test found is about another key or address.
      const isSame =
        before && key === undefined && before.data.kind === data.kind && before.data.address === data.address
      if (!isSame) await storage.removeSetting(who.id, 'provider-test', providerId)
      forget(who.id, providerId)
      return { provider: await infoOf(who.id, { providerId, data, version }) }
    },

    async deleteProvider(who, providerId) {
      checkMayHaveSettings(who)
      await own(who, providerId)
      await storage.removeSetting(who.id, 'provider', providerId)
      await storage.removeSetting(who.id, 'provider-test', providerId)
      forget(who.id, providerId)
    },

    async testProvider(who, { providerId, kind, address, key }) {
      checkMayHaveSettings(who)
      const base = providerId === undefined ? undefined : await find(who.id, providerId)
      if (providerId !== undefined && !base) throw notFound()
      const wanted = kind ?? base?.data.kind
      if (wanted === undefined) throw invalid([{ path: '/kind', detail: 'Say which kind of provider is tested.' }])
      const at = now()
      const data = base?.data
      const isAsStored = base && wanted === data?.kind && address === undefined && key === undefined
      let found: { verdict: ProviderVerdict; ms: number }
      try {
        let access: ProviderAccess
        if (isAsStored) access = await accessOf(who.id, base)
        else {
          const hasKey =
            base !== undefined && (base.given ? base.given.apiKey !== undefined : data?.sealed !== undefined)
          const place = address === undefined && wanted === data?.kind ? data.address : address
          const checked = check(who, { kind: wanted, address: place, key }, data && { data, hasKey })
          const secret = checked.key === undefined && base ? await keyOf(who.id, base) : checked.key
          access = {
            kind: wanted,
            ...(checked.address !== undefined && { baseURL: checked.address }),
            ...(typeof secret === 'string' && { apiKey: secret }),
          }
        }
        found = await tried(access)
      } catch (error) {
        if (!(error instanceof SealsBroken)) throw error
        found = { verdict: keyLost(error), ms: 0 }
      }
      const { models: offered, ...said } = found.verdict
      const test: ProviderTest = { ...said, at, ms: found.ms }
      if (isAsStored) {
        remember(who.id, base, found.verdict)
        const setting = { kind: 'provider-test', id: base.providerId, data: test as unknown as JsonObject }
        await storage.saveSetting(who.id, setting)
      }
      return { ...test, ...(offered && { models: offered.slice(0, MOST_MODELS) }) }
    },

    async listModels(who, { fresh }) {
      checkMayHaveSettings(who)
      const connected = await all(who.id)
      const answers = await Promise.all(
        connected.map(async one => ({ one, verdict: await modelsOf(who.id, one, fresh) })),
      )
      const offered: ListedModel[] = []
      const problems: Answer<'ModelList'>['problems'] = []
      for (const { one, verdict } of answers) {
        const of = { providerId: one.providerId, providerName: nameOf(one), isLocal: isOnThisMachine(addressOf(one)) }
        for (const model of verdict.models?.slice(0, MOST_MODELS) ?? []) offered.push({ ...model, ...of })
        if (verdict.ok) continue
        const { code = 'provider_failed', message, next } = verdict
        problems.push({ providerId: one.providerId, code, message, ...(next !== undefined && { next }) })
      }
      return { models: offered, problems }
    },

    async access(owner, providerId) {
      const connected = await find(owner, providerId)
      if (!connected) {
        throw wrongSetting('provider_missing', 'The provider of this agent is not connected.', CHOOSE)
      }
      try {
        const access = await accessOf(owner, connected)
        const kind = kindOf(access.kind)
        if (kind?.key !== 'required' || access.apiKey !== undefined) return access
        throw wrongSetting('key_missing', `There is no key for ${nameOf(connected)}.`, ENTER)
      } catch (error) {
        if (!(error instanceof SealsBroken)) throw error
        report(`the key of provider ${providerId} cannot be opened`, error)
        throw wrongSetting('key_lost', error.message, ENTER)
      }
    },

    async known(owner) {
      const connected = await all(owner)
      const entries = connected.map(async one => {
        const info = await infoOf(owner, one)
        const kind = kindOf(one.data.kind)
        const problem = problemOf(info, kind)
        const { name, isLocal } = info
        return [one.providerId, { name, kind: info.kind, isLocal, ...(problem && { problem }) }] as const
      })
      return new Map(await Promise.all(entries))
    },
  }

  async function sealed(key: string, about: string): Promise<string> {
    try {
      return await seals.seal(key, about)
    } catch (error) {
      if (!(error instanceof SealsBroken)) throw error
      report('a key cannot be sealed', error)
      throw new Refusal('keys_unavailable', error.message, { path: '/key' })
    }
  }
}

const CHOOSE = 'Choose a model of a connected provider in the settings of the agent.'
const ENTER = 'Enter the key in the settings of the provider.'

/** A sealed key opens as that of its owner and its provider alone. */
const aboutKey = (owner: string, providerId: string): string => JSON.stringify(['provider', owner, providerId])

function problemOf({ key, lastTest, name }: ProviderInfo, kind: ProviderKind | undefined): KnownProvider['problem'] {
  if (key.state === 'lost') return { code: 'key_lost', message: `The key of ${name} cannot be opened.`, next: ENTER }
  if (kind?.key === 'required' && key.state === 'none') {
    return { code: 'key_missing', message: `There is no key for ${name}.`, next: ENTER }
  }
  if (!lastTest || lastTest.ok) return undefined
  const { code = 'provider_failed', message, next } = lastTest
  return { code, message, ...(next !== undefined && { next }) }
}

const keyMissing = (name: string): ProviderVerdict => ({
  ok: false,
  code: 'key_missing',
  message: `${name} needs a key.`,
  next: 'Paste the key.',
})

const keyLost = ({ message }: SealsBroken): ProviderVerdict => ({ ok: false, code: 'key_lost', message, next: ENTER })

/** What a source of models said, with no piece of the key in it. */
function cleaned(verdict: ProviderVerdict, key: string | undefined): ProviderVerdict {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return withoutSecret(value, key)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner)]))
  }
  const { models, command, ...said } = verdict
  // Lists are long, and models whose names have the key in them are none.
  const isKeyless = (model: ModelInfo): boolean =>
    key === undefined || key.length < 8 || !JSON.stringify(model).includes(key)
  return {
    ...(clean(said) as ProviderVerdict),
    // It is a word of the source itself, and a short key such as `ollama` may stand in it.
    ...(command !== undefined && { command }),
    ...(models && { models: models.filter(isKeyless) }),
  }
}

const wrongSetting = (code: string, message: string, next: string): AgentError =>
  new AgentError(message, { code, next, retryable: false })

const notFound = (): Refusal =>
  new Refusal('provider_not_found', 'There is no such provider.', { next: 'GET /api/providers lists them.' })

/** Fields that cannot be set like this. */
export const invalid = (errors: FieldErrors): Refusal =>
  new Refusal('settings_invalid', errors.map(({ detail }) => detail).join(' '), { errors })

/** Somebody has changed it since it was read. */
export const changed = (): Refusal =>
  new Refusal('settings_changed', 'It was changed meanwhile.', { next: 'Load it again.' })

/** There are as many as there may be. */
export const full = (most: number, what: string): Refusal =>
  new Refusal('settings_limit', `There are ${most} ${what} already.`, { params: { most }, next: 'Delete one first.' })
