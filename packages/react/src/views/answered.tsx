import type { Action } from '@vitrine/protocol'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon } from '../kit/icon.tsx'
import { Check, CheckCheck, CircleDot, CircleSlash, Clock, ListChecks, SquareCheck } from '../kit/icons.ts'
import { JsonText } from '../kit/plain-text.tsx'
import { Time } from '../kit/time.tsx'
import { MarkdownText } from '../markdown/lazy-markdown.tsx'
import { visible, visibleMarkdown } from '../visible.tsx'
import { answeredSteps, answeredWords, byWords } from './answered-words.ts'
import { FileChanges } from './file-changes.tsx'
import { KeptDisclosure } from './kept-disclosure.tsx'

function iconOf({ outcome, request }: Action) {
  if (outcome === 'expired') return Clock
  if (outcome === 'denied' || outcome === 'cancelled' || outcome === null) return CircleSlash
  if (outcome === 'approved-for-scope') return CheckCheck
  if (request.kind === 'plan') return ListChecks
  if (request.options) return CircleDot
  return request.kind === 'form' ? SquareCheck : Check
}

/** One line that says what was answered, by whom and when. It opens to what was asked. */
export function Answered({ action }: { action: Action }) {
  const i18n = useI18n()
  const { t, time } = i18n
  const { request, by, resolvedAt } = action
  const { done, what, asked } = answeredWords(i18n, action)
  return (
    <KeptDisclosure
      id={action.key}
      className="v-answered"
      summary={
        <>
          <Icon of={iconOf(action)} className="v-row-icon" />
          <span className="v-answered-words" dir="auto">
            <strong>{visible(done)}</strong> {visible(what)}
            {asked && <span className="v-answered-asked"> {visible(asked)}</span>}
          </span>
          {by?.kind === 'policy' && <span className="v-tool-time">{byWords(t, by)}</span>}
          {resolvedAt !== null && (
            <Time at={resolvedAt} className="v-tool-time">
              {time(resolvedAt)}
            </Time>
          )}
        </>
      }
    >
      {() => (
        <div className="v-answered-body">
          <p className="v-answered-title" dir="auto">
            {visible(request.title)}
          </p>
          {request.detail && <MarkdownText text={visibleMarkdown(request.detail)} />}
          {by && (
            <p className="v-note">{resolvedAt === null ? byWords(t, by) : `${byWords(t, by)} · ${time(resolvedAt)}`}</p>
          )}
          <Asked action={action} />
        </div>
      )}
    </KeptDisclosure>
  )
}

/** What was to be decided on, with what the person made of it. */
function Asked({ action }: { action: Action }) {
  const { t } = useI18n()
  const { request, response, text } = action
  const values = Array.isArray(response) ? response : [response]
  const inWords = request.options || request.plan || typeof response === 'string'
  return (
    <>
      {request.options && (
        <ul className="v-answered-list">
          {request.options.map(({ value, label, detail }) => (
            <li key={value} data-chosen={values.includes(value) || undefined}>
              {values.includes(value) && <Icon of={Check} className="v-row-icon" />}
              <span dir="auto">{visible(label)}</span>
              {detail && <span className="v-note">{visible(detail)}</span>}
            </li>
          ))}
        </ul>
      )}
      {request.plan && (
        <ol className="v-answered-list">
          {answeredSteps(action).map(({ id, title, detail, change }) => (
            <li key={id} data-change={change}>
              <span dir="auto">{visible(title)}</span>
              {change !== 'none' && <Badge>{t(`plan.change.${change}`)}</Badge>}
              {detail && <span className="v-note">{visible(detail)}</span>}
            </li>
          ))}
        </ol>
      )}
      {request.changes && <FileChanges id={action.key} changes={request.changes} more={request.moreChanges ?? 0} />}
      {request.args !== undefined && (
        <section>
          <p className="v-label">{t('request.args')}</p>
          <JsonText value={request.args} label={t('request.args')} />
        </section>
      )}
      {text !== null && <p className="v-prewrap">{visible(text)}</p>}
      {typeof response === 'string' && !request.options && <p className="v-prewrap">{visible(response)}</p>}
      {response !== null && !inWords && (
        <section>
          <p className="v-label">{t('request.response')}</p>
          <JsonText value={response} label={t('request.response')} />
        </section>
      )}
    </>
  )
}
