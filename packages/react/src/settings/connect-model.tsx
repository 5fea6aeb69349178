import { newId } from '@vitrine/client'
import { createAgent, listProviders, saveProvider, testProvider } from '@vitrine/client/settings'
import type { ModelInfo, Problem, ProviderInfo, ProviderKind, ProviderTest } from '@vitrine/protocol'
import { type FormEvent, useCallback, useId, useRef, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { Check, KeyRound, ShieldCheck, Unplug } from '../kit/icons.ts'
import { OutsideLink } from '../kit/outside-link.tsx'
import { Select } from '../kit/select.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visibleText } from '../visible.tsx'
import { modelFacts, modelName } from './model-facts.ts'
import { TestResult } from './test-result.tsx'
import { useLoaded } from './use-loaded.ts'
import { type Say, settingsWords } from './words.ts'

interface Props {
  /** A model answers, and an agent with it was made. */
  onDone: (agentId: string) => void
  onSkip: () => void
}

/** Connects a provider: choose, paste a key or an address, test, choose a model. Then there is an agent with it. */
export function ConnectModel({ onDone, onSkip }: Props) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const { client } = useVitrine()
  const { value, problem, again } = useLoaded(useCallback(() => listProviders(client), [client]))
  const [chosen, choose] = useState<string | null>(null)
  const name = useId()
  if (problem && !value) {
    return (
      <ProblemNote title={say('providersFailed')} problem={problem}>
        <Button onClick={again}>{say('testAgain')}</Button>
      </ProblemNote>
    )
  }
  if (!value) return <div className="v-connect v-skeleton" aria-hidden />
  const { kinds, providers, keyProblem } = value
  const kind = kinds.find(each => each.kind === chosen) ?? kinds[0]
  if (!kind) return <Empty icon={Unplug} title={say('connect')} text={say('noModels')} />
  const providerOf = (of: ProviderKind) => providers.find(each => each.kind === of.kind)
  return (
    <section className="v-connect" aria-labelledby={`${name}-title`}>
      <header>
        <h2 id={`${name}-title`}>{say('connect')}</h2>
        <p>{say('about')}</p>
      </header>
      <div className="v-connect-body">
        <fieldset className="v-connect-kinds">
          <legend className="v-unseen">{say('connect')}</legend>
          {kinds.map(each => (
            <label key={each.kind}>
              <input type="radio" name={name} checked={each === kind} onChange={() => choose(each.kind)} />
              <span className="v-connect-kind">
                <span>
                  {each.name}
                  {isUsable(providerOf(each)) && (
                    <Badge tone="success" icon={Check}>
                      {say('connected')}
                    </Badge>
                  )}
                </span>
                <span className="v-connect-about">{aboutKind(say, each)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <ConnectForm
          key={kind.kind}
          kind={kind}
          provider={providerOf(kind)}
          keyProblem={keyProblem}
          onDone={onDone}
          onSkip={onSkip}
        />
      </div>
    </section>
  )
}

const isUsable = (provider: ProviderInfo | undefined) =>
  provider !== undefined && provider.key.state !== 'lost' && provider.lastTest?.ok !== false

function aboutKind(say: Say, { key, address }: ProviderKind): string {
  if (key === 'required') return say('withKey')
  return say(address === 'required' ? 'otherAbout' : 'localAbout')
}

interface FormProps extends Props {
  kind: ProviderKind
  provider: ProviderInfo | undefined
  keyProblem: string | undefined
}

function ConnectForm({ kind, provider, keyProblem, onDone, onSkip }: FormProps) {
  const { locale, ago } = useI18n()
  const say = settingsWords(locale)
  const { client } = useVitrine()
  const [address, setAddress] = useState(provider?.address ?? '')
  const [key, setKey] = useState('')
  const isSet = provider?.key.state === 'set'
  const [replacing, setReplacing] = useState(!isSet)
  const [tested, setTested] = useState<{ test: ProviderTest; models: readonly ModelInfo[] } | null>(null)
  const [busy, setBusy] = useState<'test' | 'save' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [modelId, setModelId] = useState('')
  /** Grows with each change, so that a late answer about what was there before counts for nothing. */
  const asked = useRef(0)
  /** The provider that is made here. The same one again when only the agent could not be made. */
  const [ownId] = useState(newId)
  const given = address.trim()
  const isFixed = provider?.from === 'environment'
  const changed = key.trim() !== '' || given !== (provider?.address ?? '')
  const spoken = provider?.name ?? kind.name
  const oddKey =
    kind.keyLooksLike && key.trim() && !key.trim().startsWith(kind.keyLooksLike)
      ? say('keyLooks', { name: kind.name, beginning: kind.keyLooksLike })
      : undefined
  const complete = (kind.key !== 'required' || !replacing || key.trim() !== '') && !(needsAddress(kind) && given === '')

  const edit = (set: (text: string) => void) => (text: string) => {
    asked.current++
    set(text)
    setTested(null)
    setProblem(null)
    setBusy(null)
  }
  const access = {
    kind: kind.kind,
    ...(kind.address !== 'none' && { address: given || null }),
    ...(key.trim() && { key: key.trim() }),
  }

  const test = async () => {
    const turn = ++asked.current
    setBusy('test')
    setProblem(null)
    const known = provider && { providerId: provider.providerId }
    const answer = await testProvider(client, known && !changed ? known : { ...known, ...access })
    if (turn !== asked.current) return
    setBusy(null)
    if (!answer.ok) return setProblem(answer.problem)
    const { models = [], ...test } = answer.value
    setTested({ test, models })
    setModelId(current => (models.some(each => each.modelId === current) ? current : (models[0]?.modelId ?? '')))
  }

  const save = async () => {
    setBusy('save')
    setProblem(null)
    let providerId = provider?.providerId ?? ownId
    if (!provider || (changed && !isFixed)) {
      const saved = await saveProvider(client, access, providerId)
      if (!saved.ok) {
        setBusy(null)
        return setProblem(saved.problem)
      }
      providerId = saved.value.provider.providerId
    }
    const model = tested?.models.find(each => each.modelId === modelId)
    const name = visibleText(model ? modelName(model) : modelId)
    const made = await createAgent(client, { name: name.slice(0, 100), providerId, modelId })
    setBusy(null)
    if (!made.ok) return setProblem(made.problem)
    onDone(made.value.agent.agentId)
  }

  // A form whose button cannot be pressed yet is not submitted by Enter, so that the fields say it themselves.
  const goOn = () => {
    if (busy || !complete) return
    void (tested?.test.ok && modelId ? save() : test())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    goOn()
  }
  const testButton = (
    <Button onClick={test} disabled={busy !== null || !complete}>
      {say(tested ? 'testAgain' : 'test')}
    </Button>
  )
  const isHere = kind.key !== 'required'
  return (
    <form className="v-connect-form" onSubmit={submit}>
      <div className="v-connect-fields">
        {keyProblem && <p className="v-connect-note">{keyProblem}</p>}
        {isFixed && <p className="v-connect-note">{say('fromEnvironmentHelp')}</p>}
        {isHere && (
          <AddressField kind={kind} value={address} onChange={edit(setAddress)} onEnter={goOn} after={testButton} />
        )}
        {kind.key !== 'none' && !isFixed && (
          <Field
            label={
              <span className="v-connect-label">
                {say('key')}
                {kind.key === 'required' && <Badge icon={ShieldCheck}>{say('writeOnly')}</Badge>}
              </span>
            }
            help={provider?.key.state === 'lost' ? say('keyAgain') : say('keyHelp')}
            error={oddKey}
          >
            {control => (
              <div className="v-connect-line">
                {replacing ? (
                  <TextInput
                    {...control}
                    type="password"
                    icon={KeyRound}
                    autoComplete="off"
                    spellCheck={false}
                    placeholder={say(kind.key === 'required' ? 'keyPaste' : 'keyPasteOptional')}
                    value={key}
                    onEnter={goOn}
                    onChange={event => edit(setKey)(event.target.value)}
                  />
                ) : (
                  <p className="v-input v-connect-set">
                    <Icon of={KeyRound} />
                    {provider?.key.setAt === undefined
                      ? say('keySet')
                      : say('keySetAt', { when: ago(provider.key.setAt, Date.now()) })}
                  </p>
                )}
                {!replacing && <Button onClick={() => setReplacing(true)}>{say('replace')}</Button>}
                {!isHere && testButton}
              </div>
            )}
          </Field>
        )}
        {kind.keyPage && replacing && (
          <p className="v-field-help">
            <OutsideLink href={kind.keyPage}>{say('getKey')}</OutsideLink>
          </p>
        )}
        {isFixed && !isHere && <div className="v-actions">{testButton}</div>}
        {!isHere && kind.address === 'optional' && !isFixed && (
          <Disclosure summary={say('addressOther')}>
            {() => <AddressField kind={kind} value={address} onChange={edit(setAddress)} onEnter={goOn} />}
          </Disclosure>
        )}
        <TestResult test={tested?.test ?? null} busy={busy === 'test'} />
        {problem && <ProblemNote title={say(busy === 'save' ? 'failed' : 'wrong')} problem={problem} />}
        <ModelField
          models={tested?.models ?? []}
          known={tested?.test.ok ?? false}
          local={provider?.isLocal ?? false}
          value={modelId}
          onChange={setModelId}
        />
      </div>
      <footer>
        <span>{!tested?.test.ok && say('testFirst')}</span>
        <Button look="quiet" onClick={onSkip}>
          {say('skip')}
        </Button>
        <Button type="submit" look="primary" disabled={busy !== null || !tested?.test.ok || modelId.trim() === ''}>
          {say('continue')}
        </Button>
      </footer>
      <span className="v-unseen" role="status">
        {tested?.test.ok ? `${spoken}: ${say('works')}` : ''}
      </span>
    </form>
  )
}

const needsAddress = ({ address }: ProviderKind) => address === 'required'

function AddressField(props: {
  kind: ProviderKind
  value: string
  onChange: (address: string) => void
  onEnter: () => void
  after?: React.ReactNode
}) {
  const { kind, value, onChange, onEnter, after } = props
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const presets = kind.presets ?? []
  return (
    <Field
      label={say('address')}
      help={
        presets.length > 0 ? (
          <span className="v-connect-presets">
            {presets.map(preset => (
              <Button key={preset.name} look="link" onClick={() => onChange(preset.address)}>
                {preset.name}
              </Button>
            ))}
          </span>
        ) : (
          kind.defaultAddress && value === '' && say('addressFilled', { name: kind.name })
        )
      }
    >
      {control => (
        <div className="v-connect-line">
          <TextInput
            {...control}
            className="v-code-input"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={kind.defaultAddress ?? 'https://'}
            value={value}
            onEnter={onEnter}
            onChange={event => onChange(event.target.value)}
          />
          {after}
        </div>
      )}
    </Field>
  )
}

/** The model of the new agent: one of those that the provider lists, or a name when it lists none. */
function ModelField(props: {
  models: readonly ModelInfo[]
  known: boolean
  local: boolean
  value: string
  onChange: (modelId: string) => void
}) {
  const { models, known, local, value, onChange } = props
  const { locale } = useI18n()
  const say = settingsWords(locale)
  if (known && models.length === 0) {
    return (
      <Field label={say('modelName')} help={say('modelNone')}>
        {control => <TextInput {...control} value={value} onChange={event => onChange(event.target.value)} />}
      </Field>
    )
  }
  const chosen = models.findIndex(({ modelId }) => modelId === value)
  return (
    <Field label={say('model')} help={chosen >= 0 && modelFacts(say, { ...models[chosen]!, isLocal: local })}>
      {control => (
        <Select
          {...control}
          disabled={!known}
          empty={say(known ? 'modelMissing' : 'modelKnownLater')}
          options={models.map(model => ({ label: visibleText(modelName(model)) }))}
          chosen={chosen}
          onChoose={at => onChange(models[at]?.modelId ?? '')}
        />
      )}
    </Field>
  )
}
