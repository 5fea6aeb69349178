import { getUsage } from '@vitrine/client/usage'
import type { Answer, Problem } from '@vitrine/protocol'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useAgentNames } from '../agents.tsx'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Chart } from '../kit/chart.tsx'
import { RadioGroup } from '../kit/choices.tsx'
import { Empty } from '../kit/empty.tsx'
import { ChartColumn } from '../kit/icons.ts'
import type { Order } from '../kit/sort-rows.ts'
import { Table } from '../kit/table.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { daysUpTo, totalOf, type UsageItem, type UsageTotal, usageWords } from './usage-sums.ts'

const SPANS = ['7', '30', '90'] as const
type Span = (typeof SPANS)[number]

/** What the runs of a person have used: today, and day by day. */
export function UsageView() {
  const { t } = useI18n()
  const [span, setSpan] = useState<Span>('30')
  const { answer, problem, offline, reload } = useUsage(Number(span))
  return (
    <div className="v-usage-page">
      <div className="v-usage-view">
        <div className="v-usage-head">
          <p>{t('usage.note')}</p>
          <RadioGroup
            look="segments"
            label={t('usage.span')}
            labelHidden
            value={span}
            options={SPANS.map(value => ({ value, label: t('usage.days', { count: Number(value) }) }))}
            onChange={setSpan}
          />
        </div>
        {problem && (
          <ProblemNote title={t('usage.failed')} problem={problem}>
            <Button onClick={reload}>{t('action.tryAgain')}</Button>
          </ProblemNote>
        )}
        {answer ? (
          answer.items.length === 0 ? (
            <Empty icon={ChartColumn} title={t('usage.empty')} text={t('usage.emptyHelp')} />
          ) : (
            <Counted answer={answer} days={Number(span)} />
          )
        ) : (
          !problem && <p className="v-panel-empty">{t(offline ? 'usage.away' : 'fallback.loading')}</p>
        )}
      </div>
    </div>
  )
}

function useUsage(days: number) {
  const { client } = useVitrine()
  const { state } = useReadable(client.connection)
  const offline = state !== 'live' && state !== 'catching-up'
  const [answer, setAnswer] = useState<Answer<'Usage'> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [wishes, setWishes] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish asks again.
  useEffect(() => {
    if (offline) return
    let current = true
    const now = new Date()
    const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime()
    getUsage(client, { from, to: now.getTime() + 1000, offset: -now.getTimezoneOffset() }).then(outcome => {
      if (!current) return
      if (outcome.ok) setAnswer(outcome.value)
      setProblem(outcome.ok ? null : outcome.problem)
    })
    return () => {
      current = false
    }
  }, [client, offline, days, wishes])
  return { answer, problem, offline, reload: useCallback(() => setWishes(count => count + 1), []) }
}

function Counted({ answer: { items, bounded }, days }: { answer: Answer<'Usage'>; days: number }) {
  const { t, locale, number, cost } = useI18n()
  const agentName = useAgentNames()
  const [order, setOrder] = useState<Order | null>(null)
  const all = useMemo(() => totalOf(items), [items])
  const named = useMemo(() => daysUpTo(Date.now(), days), [days])
  const today = totalOf(items.filter(({ day }) => day === named.at(-1)))
  const currency = all.costs[0]?.currency
  const [shown, show] = useState<'tokens' | 'cost'>('tokens')
  const what = currency === undefined ? 'tokens' : shown
  const chart = useMemo(() => {
    const sums = Map.groupBy(items, ({ day }) => day)
    const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
    const of = (day: string): number => {
      const total = totalOf(sums.get(day) ?? [])
      return what === 'tokens'
        ? (total.tokens ?? 0)
        : (total.costs.find(spent => spent.currency === currency)?.amount ?? 0)
    }
    return {
      kind: 'bar' as const,
      title: what === 'tokens' ? t('usage.tokensPerDay') : t('usage.costPerDay', { currency: currency ?? '' }),
      labels: named.map(day => short.format(new Date(`${day}T12:00`))),
      series: [{ data: named.map(of) }],
    }
  }, [items, named, what, currency, locale, t])
  const rows = useMemo(
    () => [...Map.groupBy(items, ({ agentId, model }) => JSON.stringify([agentId, model])).values()],
    [items],
  )
  const valueAt = useCallback(
    (row: readonly UsageItem[], column: number) => {
      const { runs, input, cached, output, costs } = totalOf(row)
      const price = costs[0]?.amount ?? null
      return [row[0]!.model ?? t('usage.unknown'), agentName(row[0]!.agentId), runs, input, cached, output, price][
        column
      ]
    },
    [agentName, t],
  )
  const textAt = useCallback(
    (value: unknown, column: number) => {
      if (value === null || value === undefined) return '–'
      if (typeof value !== 'number') return String(value)
      return column === 6 ? cost(value, currency ?? 'USD') : number(value)
    },
    [number, cost, currency],
  )
  const columns = useMemo(
    () =>
      (['model', 'agent', 'runs', 'input', 'cached', 'output', 'cost'] as const).map((name, at) => ({
        label: t(`usage.${name}`),
        align: at < 2 ? ('start' as const) : ('end' as const),
      })),
    [t],
  )
  return (
    <>
      <dl className="v-usage-facts">
        <Figure label={t('usage.today')} total={today} />
        <Figure label={t('usage.inDays', { count: days })} total={all} />
      </dl>
      {currency !== undefined && (
        <RadioGroup
          look="segments"
          label={t('usage.show')}
          labelHidden
          value={what}
          options={[
            { value: 'tokens', label: t('usage.tokens') },
            { value: 'cost', label: t('usage.cost') },
          ]}
          onChange={show}
        />
      )}
      <Chart chart={chart} locale={locale} />
      <Table
        columns={columns}
        rows={rows}
        valueAt={valueAt}
        textAt={textAt}
        label={t('usage.byModel')}
        order={order}
        onOrder={setOrder}
        locale={locale}
      />
      {bounded && <p className="v-note">{t('usage.bounded')}</p>}
    </>
  )
}

function Figure({ label, total }: { label: string; total: UsageTotal }) {
  const i18n = useI18n()
  const { t } = i18n
  return (
    <div>
      <dt>{label}</dt>
      <dd>{total.runs === 0 ? t('usage.nothing') : usageWords(total, i18n)}</dd>
      {total.runs > 0 && <dd className="v-note">{t('usage.runCount', { count: total.runs })}</dd>}
    </div>
  )
}
