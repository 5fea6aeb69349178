import { listModels, updateAgent } from '@vitrine/client/settings'
import type { ListedModel, Problem } from '@vitrine/protocol'
import { type KeyboardEvent, useCallback, useId, useLayoutEffect, useState } from 'react'
import { useRefreshAgents } from '../agents.tsx'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Check } from '../kit/icons.ts'
import { type Option, OptionList, optionId } from '../kit/option-list.tsx'
import { isEnter, TextInput } from '../kit/text-input.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { useSetting } from '../stored.ts'
import type { ModelPickerProps } from '../views/model-button.tsx'
import { modelFacts, modelName } from './model-facts.ts'
import { useLoaded } from './use-loaded.ts'
import { settingsWords } from './words.ts'

type ModelOption = Option & { model: ListedModel }

/** Models that were chosen last stand first. */
const RECENT = 3

/** Chooses what an agent thinks with: found by typing, with what is known of each model, and how much it shall think. */
export function ModelPicker({ agent, onDrawn, onClose }: ModelPickerProps) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const { client, announce } = useVitrine()
  const refresh = useRefreshAgents()
  const { value, problem } = useLoaded(useCallback(() => listModels(client), [client]))
  const [recent, setRecent] = useSetting<readonly string[]>('vitrine.recent-models', [])
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const [failure, setFailure] = useState<Problem | null>(null)
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: all that changes its height.
  useLayoutEffect(onDrawn, [value, search, failure, problem])

  const idOf = (model: Pick<ListedModel, 'providerId' | 'modelId'>) => `${model.providerId}/${model.modelId}`
  const current = agent.model && idOf(agent.model)
  const words = search.trim().toLocaleLowerCase().split(/\s+/)
  const options = (value?.models ?? [])
    .filter(model => {
      const text = `${modelName(model)} ${model.modelId} ${model.providerName}`.toLocaleLowerCase()
      return words.every(word => text.includes(word))
    })
    .map((model): ModelOption => {
      const isRecent = recent.includes(idOf(model))
      return {
        id: idOf(model),
        label: modelName(model),
        group: isRecent ? say('recent') : model.providerName,
        detail: modelFacts(say, model),
        ...(idOf(model) === current && { icon: Check }),
        model,
      }
    })
    .sort((a, b) => Number(b.group === say('recent')) - Number(a.group === say('recent')))
  const chosen = options[Math.min(at, options.length - 1)]
  const efforts = value?.models.find(model => idOf(model) === current)?.efforts

  const change = async (changes: Parameters<typeof updateAgent>[2]) => {
    const answer = await updateAgent(client, agent.agentId, changes)
    if (!answer.ok) return setFailure(answer.problem)
    refresh()
    announce(say('chosen', { name: agent.name, model: answer.value.agent.model?.name ?? '' }))
    onClose()
  }
  const take = ({ model }: ModelOption) => {
    setRecent([idOf(model), ...recent.filter(one => one !== idOf(model))].slice(0, RECENT))
    void change({ providerId: model.providerId, modelId: model.modelId, effort: null })
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && options.length > 0) setAt((Math.min(at, options.length - 1) + step + options.length) % options.length)
    else if (isEnter(event) && chosen) take(chosen)
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        className="v-model-search"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && optionId(id, chosen)}
        aria-label={say('findModel')}
        placeholder={say('findModel')}
        ref={field => field?.focus()}
        value={search}
        onKeyDown={onKey}
        onChange={event => {
          setSearch(event.target.value)
          setAt(0)
        }}
      />
      {(failure ?? problem) && <ProblemNote title={say('failed')} problem={failure ?? problem} />}
      {value?.problems.map(each => (
        <p key={each.providerId} className="v-connect-note">
          {each.message} {each.next}
        </p>
      ))}
      <OptionList
        id={id}
        label={say('models')}
        options={options}
        current={chosen}
        typed={search}
        onTake={take}
        onPoint={option => setAt(options.indexOf(option))}
      />
      {efforts && (
        <div className="v-model-efforts">
          <RadioGroup
            label={say('effort')}
            look="segments"
            value={agent.model?.effort ?? ''}
            options={[{ value: '', label: say('effortAny') }, ...efforts.map(value => ({ value, label: value }))]}
            onChange={effort => void change({ effort: effort || null })}
          />
        </div>
      )}
      <p className="v-field-help">{say('modelCounts', { name: agent.name })}</p>
    </>
  )
}
