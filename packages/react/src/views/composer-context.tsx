import type { SessionHandle } from '@vitrine/client'
import { useEntity, useEntityValue, useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { FileText, Layers, MessageSquare, X } from '../kit/icons.ts'
import { visible, visibleText } from '../visible.tsx'
import type { Attachment, Attachments } from './attachment-store.ts'
import { type Reference, referencesIn, referenceText } from './composer-references.ts'
import { fileKind } from './file-kinds.ts'
import { contextOfRun } from './usage.ts'

interface Props {
  /** The session, or the first screen. */
  place: string
  text: string
  store: Attachments
  onText: (text: string) => void
}

/** From this length on a text is worth a word about what it takes. */
const LONG_TEXT = 4_000
/** Letters of a token, in most texts of most models. It is a guess, and it is called one. */
const LETTERS = 4

const icons = { session: MessageSquare, artifact: Layers, file: FileText }

/** What goes along with a text, and what it takes of the context of the model, before anything is sent. */
export function ComposerContext({ place, text, store, onText }: Props) {
  const { t } = useI18n()
  const { files } = useReadable(store)
  const references = referencesIn(place, text)
  const budget = budgetOf(text, files, references.length)
  const shows = files.length > 0 || references.length > 0 || text.length >= LONG_TEXT
  if (!shows) return null
  const remove = (reference: Reference) =>
    onText(text.replace(referenceText(reference), () => '').replace(/ {2,}/g, ' '))
  return (
    <ul className="v-context" aria-label={t('context.label')}>
      {references.map(reference => (
        <li key={`${reference.kind} ${reference.ref}`} className="v-context-chip">
          <Icon of={icons[reference.kind]} />
          <span dir="auto">{visible(reference.title)}</span>
          <IconButton
            icon={X}
            label={t('context.remove', { name: visibleText(reference.title) })}
            onClick={event => {
              event.currentTarget.closest('form')?.querySelector('textarea')?.focus({ preventScroll: true })
              remove(reference)
            }}
          />
        </li>
      ))}
      <BudgetWords {...budget} />
    </ul>
  )
}

/** What texts take, by their length; and how many things there are that nobody can measure before they are read. */
export interface Budget {
  tokens: number
  unmeasured: number
}

export function budgetOf(
  text: string,
  files: readonly Pick<Attachment, 'name' | 'size' | 'mediaType'>[],
  references: number,
): Budget {
  const readable = files.filter(
    ({ mediaType, name, size }) =>
      size !== null &&
      ['file.text', 'file.code', 'file.table'].includes(fileKind(mediaType, name).word) &&
      isPlain(name),
  )
  const letters = readable.reduce((sum, { size }) => sum + size!, text.length)
  return { tokens: Math.ceil(letters / LETTERS), unmeasured: files.length - readable.length + references }
}

/** Documents of office programs are compressed: their size tells nothing of their text. */
const isPlain = (name: string): boolean => !/\.(?:docx?|odt|rtf|xlsx?|ods)$/i.test(name)

function BudgetWords({ tokens, unmeasured }: Budget) {
  const { t, compact } = useI18n()
  return (
    <li className="v-context-note" title={t('context.guess')}>
      {t('context.about', { shown: compact(tokens), count: tokens })}
      {unmeasured > 0 && ` ${t('context.unmeasured', { count: unmeasured })}`}
    </li>
  )
}

/** How full the context was after the last run, and whether what is written still fits. Nothing when nobody said it. */
export function ContextWindow({ handle, text, store }: Pick<Props, 'text' | 'store'> & { handle: SessionHandle }) {
  const { t, compact, percent } = useI18n()
  const { files } = useReadable(store)
  const runId = useEntityValue(handle, 'session', ({ session }) => session.latestRunId) ?? ''
  const { used, size } = useEntity(handle, `run:${runId}`, ({ runs }) =>
    contextOfRun(runs.byId.get(runId)?.metrics ?? {}),
  )
  if (used === null) return null
  if (size === null) {
    return (
      <span className="v-context-window" title={t('context.sizeUnknown')}>
        {t('context.used', { shown: compact(used), count: used })}
      </span>
    )
  }
  const more = budgetOf(text, files, 0).tokens
  const share = Math.min(1, used / size)
  const over = used + more > size
  const words = t('context.full', { share: percent(share), size: compact(size) })
  return (
    <span
      className="v-context-window"
      data-over={over || undefined}
      title={`${t('context.last')}: ${words}`}
      role="img"
      aria-label={over ? t('context.over', { size: compact(size) }) : words}
    >
      <span className="v-context-bar">
        <span style={{ inlineSize: `${share * 100}%` }} />
        <span style={{ inlineSize: `${Math.min(1 - share, more / size) * 100}%` }} />
      </span>
      {over ? t('context.over', { size: compact(size) }) : percent(share)}
    </span>
  )
}
