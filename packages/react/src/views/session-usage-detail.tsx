import type { SessionHandle } from '@vitrine/client'
import { getUsage } from '@vitrine/client/usage'
import type { Answer, Problem } from '@vitrine/protocol'
import { useEffect, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { visible } from '../visible.tsx'
import { totalOf, usageWords } from './usage-sums.ts'

/** How far back a session is counted: as far as one question reaches. */
const SPAN_MS = 399 * 86_400_000

/** What all runs of a session have used, by model. Versions that were replaced were paid for, so they count. */
export function SessionUsageDetail({ handle }: { handle: SessionHandle }) {
  const { client } = useVitrine()
  const i18n = useI18n()
  const { t } = i18n
  const { sessionId } = handle
  const [answer, setAnswer] = useState<Answer<'Usage'> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    let current = true
    const to = Date.now() + 1000
    getUsage(client, { from: to - SPAN_MS, to, sessionId }).then(outcome => {
      if (!current) return
      if (outcome.ok) setAnswer(outcome.value)
      else setProblem(outcome.problem)
    })
    return () => {
      current = false
    }
  }, [client, sessionId])
  if (problem) return <p>{`${t('usage.failed')} ${problemWords(t, problem)}`}</p>
  if (!answer) return <p>{t('fallback.loading')}</p>
  const models = [...Map.groupBy(answer.items, ({ model }) => model).entries()]
  const all = totalOf(answer.items)
  return (
    <>
      <dl className="v-facts">
        {models.map(([model, items]) => (
          <div key={model ?? ''}>
            <dt>{model === null ? t('usage.unknown') : visible(model)}</dt>
            <dd>{usageWords(totalOf(items), i18n)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('usage.session')}</dt>
          <dd>{all.runs === 0 ? t('usage.nothing') : usageWords(all, i18n)}</dd>
        </div>
      </dl>
      <p>{t('usage.sessionNote')}</p>
    </>
  )
}
