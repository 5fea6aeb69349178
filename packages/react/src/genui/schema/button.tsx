import {
  actionProblem,
  formErrors,
  localizeLabel,
  type ResolvedNode,
  submits,
  type UiActionPayload,
} from '@vitrine/genui/schema'
import { formatPointer, type Problem } from '@vitrine/protocol'
import { useEffect, useId, useState } from 'react'
import { type I18n, useI18n } from '../../i18n/i18n.tsx'
import { problemWords } from '../../i18n/reason-words.ts'
import { ButtonLink, Button as KitButton } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { copyText } from '../../kit/copy-text.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Check, CircleAlert } from '../../kit/icons.ts'
import { openOutside, outside } from '../../kit/outside-link.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { type Press, usePress } from './card-state.ts'
import { currentValue, valuesOf } from './form-values.ts'
import { NodeIcon } from './icon.tsx'
import { type Ui, type UiValues, useUi } from './ui-context.ts'

type ButtonNode = ResolvedNode<'button'>

const looks = { primary: 'primary', secondary: 'plain', ghost: 'link', danger: 'plain' } as const

/** These change something somewhere; a look at a page or a copy does not. */
const changes = (action: UiActionPayload): boolean =>
  action.type === 'tool' || action.type === 'payload' || action.type === 'event'

export function Button({ node }: { node: ButtonNode }) {
  const { t } = useI18n()
  const ui = useUi()
  const id = useId()
  const press = usePress(ui.state, node.id)
  const { act, asking, answer } = useAct(node)
  const { action } = node
  const reason = reasonOf(node, ui, t)
  const disabled = node.disabled === true || reason !== undefined || ui.readOnly
  const busy = press?.phase === 'busy'
  const style = { look: looks[node.style], danger: node.style === 'danger', className: 'v-ui-button' }
  const icon = node.icon && <NodeIcon icon={node.icon} />
  const label = <span dir="auto">{visible(node.label)}</span>
  if (action.type === 'url' && !disabled && !node.confirm && !submits(node))
    return (
      <span className="v-ui-action">
        <ButtonLink {...style} {...linkTo(action.url)}>
          {icon}
          {label}
          {isWeb(action.url) && <span className="v-unseen"> {t('kit.newTab')}</span>}
        </ButtonLink>
      </span>
    )
  const note = reason !== undefined && !ui.readOnly ? reason : undefined
  // The words on the button are the agent's; what a press does is said by us.
  const does = action.type === 'tool' ? doesWords(action.toolId, ui, t) : undefined
  return (
    <span className="v-ui-action">
      <KitButton
        {...style}
        disabled={disabled}
        aria-disabled={busy || undefined}
        aria-busy={busy || undefined}
        title={does}
        aria-describedby={
          [does && `${id}-does`, (note || press) && `${id}-note`].filter(Boolean).join(' ') || undefined
        }
        data-submits={submits(node) || undefined}
        onClick={() => !busy && act()}
      >
        {icon}
        {label}
        {busy && <span className="v-ui-busy"> {t('action.sending')}</span>}
      </KitButton>
      {does && (
        <span id={`${id}-does`} className="v-unseen">
          {does}
        </span>
      )}
      {(note || press) && (
        <span id={`${id}-note`} className="v-ui-outcome" data-of={visibleText(node.label)}>
          {note ? (
            <span className="v-ui-reason">{visible(note)}</span>
          ) : (
            press && <Outcome press={press} retry={act} nodeId={node.id} />
          )}
        </span>
      )}
      {asking && <Confirm node={node} onAnswer={answer} />}
    </span>
  )
}

/** What a press does, in our words: it runs the tool, or it asks the agent to run it. */
function doesWords(toolId: string, ui: Ui, t: I18n['t']): string {
  const policy = ui.runsTool?.(toolId)
  const name = visibleText(toolId)
  if (policy === undefined) return t('ui.asks', { name })
  return t(policy === 'ask' ? 'ui.runs.asking' : 'ui.runs.now', { name })
}

/**
 * Why the button cannot be pressed, in words. This checks the action again, because a host may draw a document that nobody
 * has read and checked.
 */
function reasonOf(node: ButtonNode, ui: Ui, t: I18n['t']): string | undefined {
  const problem = actionProblem(node.action)
  if (problem) return localizeLabel(`ui.reason.${problem.code}`, ui.locale)
  if (node.disabled) return node.disabledReason && localizeLabel(node.disabledReason, ui.locale)
  const { action } = node
  // What was destroyed is gone: the card must not offer to do it again.
  if (node.style === 'danger' && ui.isDone(action)) return t('ui.done')
  if (action.type === 'event') return ui.onEvent ? undefined : t('ui.event.none', { name: action.event })
  return (action.type === 'tool' || action.type === 'payload') && !ui.onAction ? t('ui.noAction') : undefined
}

const isWeb = (url: string): boolean => /^https?:/i.test(url)

/** Pages of others open beside this one and learn nothing of it. Mail and telephone programs need no tab. */
const linkTo = (url: string) => (isWeb(url) ? { href: url, ...outside } : { href: url, rel: 'noreferrer' })

function useAct(node: ButtonNode) {
  const { t } = useI18n()
  const ui = useUi()
  const [asking, setAsking] = useState<{ values: UiValues | undefined } | null>(null)
  const { state } = ui
  const set = (press: Press | undefined) => state.setPress(node.id, press)
  const say = (press: Press & { message: string }) => {
    set(press)
    ui.announce(press.message)
  }

  const run = async (values: UiValues | undefined) => {
    const { action } = node
    try {
      switch (action.type) {
        case 'navigation': {
          const params = (action.params ?? {}) as Record<string, string | number | boolean>
          const gone = ui.onNavigate ? ui.onNavigate(action.path, params) !== false : false
          return set(gone ? undefined : { phase: 'page', path: action.path + queryOf(params) })
        }
        case 'url':
          openOutside(action.url)
          return set(undefined)
        case 'copy':
          if (!(await copyText(action.content)))
            return say({ phase: 'failed', message: t('copy.failed'), retry: false })
          return say({ phase: 'done', message: action.successMessage ?? t('copy.done') })
        case 'event': {
          const taken = ui.onEvent && ui.onEvent(action.event, action.payload ?? {}, values) !== false
          if (taken) return say({ phase: 'done', message: t('ui.event.done') })
          return say({ phase: 'failed', message: t('ui.event.none', { name: action.event }), retry: false })
        }
        default: {
          if (!ui.onAction) return
          set({ phase: 'busy' })
          const runs = action.type === 'tool' && ui.runsTool?.(action.toolId) !== undefined
          const through = action.type === 'tool' && ({ through: runs ? 'call' : 'agent' } as const)
          const sent = { action, ...(values && { values }), ...through }
          const key = state.keyFor(node.id, JSON.stringify(sent), values !== undefined)
          const outcome = await ui.onAction({ ...sent, key })
          if (outcome.ok || state.hasArrived(node.id)) {
            state.accepted(node.id)
            return say({ phase: 'done', message: runs ? t('ui.called', { name: action.toolId }) : t('ui.sent') })
          }
          markFields(ui, outcome.problem)
          const detail = problemWords(t, outcome.problem)
          const retry = outcome.problem.code !== 'ui_action_not_offered'
          return say({ phase: 'failed', message: t('ui.actionFailed'), detail, retry })
        }
      }
    } catch (error) {
      const detail = error instanceof Error ? error.message : undefined
      say({ phase: 'failed', message: t('ui.actionFailed'), detail, retry: true })
    }
  }

  const act = () => {
    const problem = actionProblem(node.action)
    if (problem)
      return say({ phase: 'failed', message: localizeLabel(`ui.reason.${problem.code}`, ui.locale), retry: false })
    let values: UiValues | undefined
    if (submits(node)) {
      values = valuesOf(ui.fields, state)
      if (!check(ui, values, count => t('ui.fieldErrors', { count }))) return
    }
    if (node.confirm || (node.style === 'danger' && changes(node.action))) setAsking({ values })
    else void run(values)
  }

  const answer = (yes: boolean) => {
    setAsking(null)
    if (yes) void run(asking?.values)
  }
  return { act, asking: asking !== null, answer }
}

/** Marks every field that is not right, says how many, and goes to the first. */
function check(ui: Ui, values: UiValues, summary: (count: number) => string): boolean {
  const errors = formErrors(ui.fields, values, ui.locale)
  for (const field of ui.fields) {
    const error = Object.hasOwn(errors, field.name) ? errors[field.name] : undefined
    ui.state.setField(field.name, { value: currentValue(ui.state, field), error })
  }
  const wrong = ui.fields.filter(field => Object.hasOwn(errors, field.name))
  if (wrong.length === 0) return true
  ui.announce(summary(wrong.length))
  ui.focusField(wrong[0]!.name)
  return false
}

/** The server found fields that are not right: they are marked like those that the card finds itself. */
function markFields(ui: Ui, { errors = [] }: Problem): void {
  const wrong = ui.fields.flatMap(field => {
    const error = errors.find(({ path }) => path === formatPointer(['values', field.name]))
    return error ? [{ field, detail: error.detail }] : []
  })
  for (const { field, detail } of wrong) {
    ui.state.setField(field.name, { value: currentValue(ui.state, field), error: detail })
  }
  if (wrong[0]) ui.focusField(wrong[0].field.name)
}

function queryOf(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).map(([key, value]): [string, string] => [key, String(value)])
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

function Outcome({ press, retry, nodeId }: { press: Press; retry: () => void; nodeId: string }) {
  const { t } = useI18n()
  const { state } = useUi()
  const done = press.phase === 'done'
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => state.setPress(nodeId, undefined), 6000)
    return () => clearTimeout(timer)
  }, [done, state, nodeId])
  switch (press.phase) {
    case 'busy':
      return null
    case 'done':
      return (
        <span className="v-ui-done">
          <Icon of={Check} />
          {visible(press.message)}
        </span>
      )
    case 'page':
      return (
        <span className="v-ui-page">
          {t('ui.page')} <code>{visible(press.path)}</code>
          <CopyButton text={() => press.path} />
        </span>
      )
    case 'failed':
      return (
        <span className="v-ui-failed">
          <Icon of={CircleAlert} />
          <span>
            {visible(press.message)} {press.detail && visible(press.detail)}
          </span>
          {press.retry && <KitButton onClick={retry}>{t('action.tryAgain')}</KitButton>}
        </span>
      )
  }
}

/** Says what will happen. */
function Confirm({ node, onAnswer }: { node: ButtonNode; onAnswer: (yes: boolean) => void }) {
  const { t } = useI18n()
  const ui = useUi()
  const { words } = ui
  const { confirm, action, label, style } = node
  return (
    <ConfirmDialog
      title={confirm?.title ?? label}
      yes={confirm?.label ?? label}
      danger={style === 'danger'}
      onAnswer={onAnswer}
    >
      <p dir="auto">{visible(confirm?.message ?? words.confirm)}</p>
      {action.type === 'tool' && <p className="v-note">{doesWords(action.toolId, ui, t)}</p>}
      {action.type === 'payload' && <p className="v-note">{t('ui.confirm.payload')}</p>}
      {action.type === 'event' && <p className="v-note">{t('ui.confirm.event')}</p>}
    </ConfirmDialog>
  )
}
