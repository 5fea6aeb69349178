import { createAgent, getAgent, listModels, updateAgent } from '@vitrine/client/settings'
import type { AgentConfig, AgentInfo, ListedModel, Problem } from '@vitrine/protocol'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Choices } from '../kit/choices.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { drawnFace, FACE_HUES, FACE_ICONS, type FaceIcon } from '../kit/face.tsx'
import { Field } from '../kit/field.tsx'
import { Select } from '../kit/select.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { TextInput } from '../kit/text-input.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visibleText } from '../visible.tsx'
import { modelFacts, modelName } from './model-facts.ts'
import { useLoaded } from './use-loaded.ts'
import { settingsWords } from './words.ts'

interface Props {
  /** The agent that is changed; a new one without it. */
  agent?: AgentInfo
  onClose: () => void
  onSaved: (agent: AgentInfo) => void
  /** Goes to where models are connected. */
  onConnect: () => void
}

type Edited = Partial<AgentConfig>

/** What an agent is made of, to be changed: name, picture, model, instructions, greeting, suggestions. */
export function AgentForm({ agent, onClose, onSaved, onConnect }: Props) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const { client } = useVitrine()
  const { value: models, problem: modelsProblem } = useLoaded(useCallback(() => listModels(client), [client]))
  const [config, setConfig] = useState<AgentConfig | null>(null)
  const [version, setVersion] = useState<number>()
  const [edited, setEdited] = useState<Edited>({})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const agentId = agent?.agentId
  useEffect(() => {
    if (agentId === undefined) return
    let current = true
    getAgent(client, agentId).then(answer => {
      if (!current) return
      if (!answer.ok) return setProblem(answer.problem)
      setConfig(answer.value.config ?? null)
      setVersion(answer.value.version)
    })
    return () => {
      current = false
    }
  }, [client, agentId])

  const now: Edited = { ...config, ...edited }
  const set = (change: Edited) => setEdited(before => ({ ...before, ...change }))
  const listed = models?.models ?? []
  const at = listed.findIndex(({ providerId, modelId }) => providerId === now.providerId && modelId === now.modelId)
  const model: ListedModel | undefined = listed[at]
  const options = listed.map(each => ({ label: `${visibleText(modelName(each))} · ${visibleText(each.providerName)}` }))
  const isUnlisted = at < 0 && now.modelId !== undefined
  const ready = (now.name ?? '').trim() !== '' && now.modelId !== undefined && (agent === undefined || config !== null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready || busy) return
    setBusy(true)
    setProblem(null)
    const { name = '', providerId = '', modelId = '' } = now
    const answer = await (agentId === undefined
      ? createAgent(client, { ...edited, name, providerId, modelId })
      : updateAgent(client, agentId, { ...edited, ...(version !== undefined && { version }) }))
    setBusy(false)
    if (!answer.ok) return setProblem(answer.problem)
    onSaved(answer.value.agent)
  }
  const errorOf = (field: string) =>
    problem?.errors?.find(({ path }) => path === `/${field}` || path.startsWith(`/${field}/`))?.detail
  const title = agent ? say('editAgent', { name: agent.name }) : say('addAgent')
  return (
    <Dialog label={title} title={title} className="v-agent-form" onClose={onClose}>
      <form className="v-dialog-body" onSubmit={submit}>
        <div className="v-agent-fields">
          <Field label={say('name')} error={errorOf('name')}>
            {control => (
              <TextInput
                {...control}
                maxLength={100}
                value={now.name ?? ''}
                onChange={event => set({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label={say('description')} optional error={errorOf('description')}>
            {control => (
              <TextInput
                {...control}
                maxLength={500}
                value={now.description ?? ''}
                onChange={event => set({ description: event.target.value })}
              />
            )}
          </Field>
          <Field
            label={say('model')}
            help={model && modelFacts(say, model)}
            error={errorOf('modelId') ?? errorOf('providerId')}
          >
            {control => (
              <div className="v-connect-line">
                <Select
                  {...control}
                  empty={isUnlisted ? say('modelNotListed', { name: now.modelId ?? '' }) : say('modelMissing')}
                  options={options}
                  chosen={at}
                  onChoose={index => {
                    const chosen = listed[index]
                    if (chosen) set({ providerId: chosen.providerId, modelId: chosen.modelId, effort: null })
                  }}
                />
                <Button onClick={onConnect}>{say('connect')}</Button>
              </div>
            )}
          </Field>
          {modelsProblem && <ProblemNote title={say('providersFailed')} problem={modelsProblem} />}
          {models?.problems.map(each => (
            <p key={each.providerId} className="v-connect-note">
              {each.message} {each.next}
            </p>
          ))}
          {model?.efforts && (
            <Field label={say('effort')} group error={errorOf('effort')}>
              {() => (
                <Choices
                  look="segments"
                  choices={[{ label: say('effortAny') }, ...model.efforts!.map(label => ({ label }))]}
                  chosen={[now.effort ? model.efforts!.indexOf(now.effort) + 1 : 0]}
                  onChoose={index => set({ effort: index === 0 ? null : model.efforts![index - 1]! })}
                />
              )}
            </Field>
          )}
          <Field label={say('instructions')} optional help={say('instructionsHelp')} error={errorOf('instructions')}>
            {control => (
              <TextArea
                {...control}
                rows={5}
                value={now.instructions ?? ''}
                onChange={event => set({ instructions: event.target.value })}
              />
            )}
          </Field>
          <Field label={say('greeting')} optional help={say('greetingHelp')} error={errorOf('greeting')}>
            {control => (
              <TextArea
                {...control}
                rows={2}
                value={now.greeting ?? ''}
                onChange={event => set({ greeting: event.target.value })}
              />
            )}
          </Field>
          <Field label={say('suggested')} optional help={say('suggestedHelp')} error={errorOf('suggestedActions')}>
            {control => (
              <TextArea
                {...control}
                rows={3}
                value={(now.suggestedActions ?? []).join('\n')}
                onChange={event => set({ suggestedActions: event.target.value.split('\n') })}
              />
            )}
          </Field>
          <Field label={say('maxSteps')} optional help={say('maxStepsHelp')} error={errorOf('maxSteps')}>
            {control => (
              <TextInput
                {...control}
                inputMode="numeric"
                value={now.maxSteps ?? ''}
                onChange={event => {
                  const digits = event.target.value.replaceAll(/\D/g, '')
                  set({ maxSteps: digits === '' ? null : Number(digits) })
                }}
              />
            )}
          </Field>
          <AvatarField value={now.avatar ?? null} onChange={avatar => set({ avatar })} />
          {problem && <ProblemNote title={say('failed')} problem={problem} />}
        </div>
        <div className="v-actions">
          <Button look="quiet" onClick={onClose}>
            {say('skip')}
          </Button>
          <Button type="submit" look="primary" disabled={!ready || busy}>
            {say(agent ? 'save' : 'create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function AvatarField(props: {
  value: AgentConfig['avatar']
  onChange: (avatar: NonNullable<AgentConfig['avatar']>) => void
}) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const names = Object.keys(FACE_ICONS) as FaceIcon[]
  const icon = props.value?.icon ?? names[0]!
  const colour = props.value?.colour ?? '1'
  return (
    <Field label={say('avatar')} group>
      {() => (
        <div className="v-avatars">
          <Choices
            look="inline"
            choices={names.map(name => ({
              label: drawnFace({ icon: name, colour }, 28),
              hint: say('picture', { name }),
            }))}
            chosen={props.value ? [names.indexOf(icon as FaceIcon)] : []}
            onChoose={at => props.onChange({ icon: names[at]!, colour })}
          />
          <Choices
            look="inline"
            choices={FACE_HUES.map(hue => ({
              label: drawnFace({ icon, colour: hue }, 20),
              hint: say('avatarColour', { number: hue }),
            }))}
            chosen={props.value ? [FACE_HUES.indexOf(colour)] : []}
            onChoose={at => props.onChange({ icon, colour: FACE_HUES[at]! })}
          />
        </div>
      )}
    </Field>
  )
}
