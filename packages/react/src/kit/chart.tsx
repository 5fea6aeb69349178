import { useCallback, useMemo, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { visible, visibleText } from '../visible.tsx'
import {
  areaPath,
  bars,
  type ChartData,
  dotsPath,
  lengthOf,
  linePath,
  MOST,
  type Slice,
  sampled,
  scaleOf,
  slices,
  xOf,
  yOf,
} from './chart-shape.ts'
import { Disclosure } from './disclosure.tsx'
import type { Order } from './sort-rows.ts'
import { Table } from './table.tsx'

interface ChartProps {
  chart: ChartData
  /** Writes numbers as this locale does. */
  locale: string
}

/** A drawing, its legend, and the numbers as a table for those who want or need them. */
export function Chart({ chart, locale }: ChartProps) {
  const { t } = useI18n()
  const format = useMemo(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }), [locale])
  const unit = chart.unit === undefined ? '' : ` ${visibleText(chart.unit)}`
  const written = (value: number) => format.format(value) + unit
  const seriesName = (index: number) => chart.series[index]?.name ?? t('kit.chart.series', { count: index + 1 })
  const values = chart.series.flatMap(({ data }) => data).filter(value => value !== null)
  const length = lengthOf(chart)
  const label = t('kit.chart.summary', {
    kind: t(`kit.chart.${chart.kind}`),
    title: chart.title ?? '',
    count: values.length,
    min: values.length > 0 ? written(values.reduce((a, b) => Math.min(a, b))) : '–',
    max: values.length > 0 ? written(values.reduce((a, b) => Math.max(a, b))) : '–',
  })
  return (
    <figure className="v-chart">
      {chart.title && (
        <figcaption className="v-chart-title" dir="auto">
          {visible(chart.title)}
        </figcaption>
      )}
      {values.length === 0 ? (
        <p className="v-note">{t('kit.chart.empty')}</p>
      ) : chart.kind === 'pie' ? (
        <Pie
          parts={slices(chart, index => t('kit.chart.series', { count: index + 1 }))}
          locale={locale}
          label={label}
          written={written}
        />
      ) : (
        <Plot chart={chart} locale={locale} length={length} label={label} seriesName={seriesName} written={written} />
      )}
      {length > MOST && chart.kind !== 'pie' && (
        <p className="v-note">{t('kit.chart.sampled', { shown: MOST, count: length })}</p>
      )}
      {values.length > 0 && (
        <Disclosure summary={t('kit.chart.numbers')}>
          {() => <Numbers chart={chart} locale={locale} length={length} seriesName={seriesName} />}
        </Disclosure>
      )}
    </figure>
  )
}

interface PlotProps {
  locale: string
  chart: ChartData
  length: number
  label: string
  seriesName: (index: number) => string
  written: (value: number) => string
}

function Plot({ chart, locale, length, label, seriesName, written }: PlotProps) {
  const short = useMemo(
    () => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
    [locale],
  )
  const series = useMemo(() => chart.series.map(({ data }) => sampled(data, length)), [chart, length])
  const scale = useMemo(() => scaleOf(series.flat()), [series])
  const count = series[0]?.length ?? 0
  const ticks = scale.ticks.map(tick => short.format(tick))
  const widest = ticks.reduce((longest, tick) => (tick.length > longest.length ? tick : longest), '')
  const every = Math.ceil(count / 12)
  const labels = chart.labels && count === length ? chart.labels : undefined
  return (
    <>
      {(chart.series.length > 1 || chart.series[0]?.name) && (
        <ul className="v-chart-legend">
          {chart.series.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: series may share a name.
            <li key={index}>
              <span className="v-chart-swatch" data-series={index % 6} data-kind={chart.kind} />
              <span dir="auto">{visible(seriesName(index))}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="v-chart-plot" dir="ltr">
        <div className="v-chart-axis" aria-hidden>
          <span className="v-chart-widest">{widest}</span>
          {scale.ticks.map((tick, index) => (
            <span key={tick} style={{ insetBlockStart: `${yOf(scale, tick)}%` }}>
              {ticks[index]}
            </span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label} data-kind={chart.kind}>
          {scale.ticks.map(tick => (
            <path
              key={tick}
              className="v-chart-gridline"
              data-zero={tick === 0 || undefined}
              d={`M0 ${yOf(scale, tick)}H100`}
            />
          ))}
          {chart.kind === 'bar'
            ? bars(series, scale).map(({ x, y, width, height, series: number, index, value }) => (
                <rect
                  key={`${number}/${index}`}
                  className="v-chart-bar"
                  data-series={number % 6}
                  {...{ x, y, width, height }}
                >
                  <title>
                    {visibleText([labels?.[index], seriesName(number), written(value)].filter(Boolean).join(' · '))}
                  </title>
                </rect>
              ))
            : series.map((data, number) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: series may share a name.
                <g key={number} data-series={number % 6}>
                  {chart.kind === 'area' && <path className="v-chart-area" d={areaPath(data, scale)} />}
                  <path className="v-chart-line" d={linePath(data, scale)} />
                  {count <= 40 && <path className="v-chart-dots" d={dotsPath(data, scale)} />}
                </g>
              ))}
        </svg>
        {labels && (
          <div className="v-chart-labels" aria-hidden data-many={count > 6 || undefined}>
            {labels.map((text, index) => {
              const place = { insetInlineStart: `${xOf(index, count)}%`, inlineSize: `${(100 * every) / count}%` }
              if (index % every !== 0) return null
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: labels may repeat.
                <span key={index} title={visibleText(text)} style={place}>
                  {visible(text)}
                </span>
              )
            })}
          </div>
        )}
      </div>
    </>
  )
}

interface PieProps {
  parts: readonly Slice[]
  locale: string
  label: string
  written: (value: number) => string
}

function Pie({ parts, locale, label, written }: PieProps) {
  const { t } = useI18n()
  const percent = useMemo(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }), [locale])
  if (parts.length === 0) return <p className="v-note">{t('kit.chart.empty')}</p>
  return (
    <div className="v-chart-pie">
      <svg viewBox="0 0 100 100" role="img" aria-label={label}>
        {parts.map(({ name, value, path }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may share a name.
          <path key={index} className="v-chart-slice" data-series={index % 6} d={path}>
            <title>{visibleText(`${name} · ${written(value)}`)}</title>
          </path>
        ))}
      </svg>
      <ul className="v-chart-legend">
        {parts.map(({ name, value, share }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may share a name.
          <li key={index}>
            <span className="v-chart-swatch" data-series={index % 6} data-kind="pie" />
            <span dir="auto">{visible(name)}</span>
            <span className="v-chart-part">
              {written(value)} · {percent.format(share)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface NumbersProps {
  chart: ChartData
  locale: string
  length: number
  seriesName: (index: number) => string
}

/** The numbers as a table: the labels, then a column for each series. */
function Numbers({ chart, locale, length, seriesName }: NumbersProps) {
  const [order, setOrder] = useState<Order | null>(null)
  const unit = chart.unit ? ` (${chart.unit})` : ''
  const columns = [{ label: '' }, ...chart.series.map((_, index) => ({ label: seriesName(index) + unit }))]
  const rows = useMemo(() => Array.from({ length }, (_, row) => row), [length])
  const valueAt = useCallback(
    (row: number, column: number) =>
      column === 0 ? (chart.labels?.[row] ?? row + 1) : (chart.series[column - 1]?.data[row] ?? null),
    [chart],
  )
  return (
    <Table
      columns={columns}
      rows={rows}
      valueAt={valueAt}
      textAt={plain}
      caption={chart.title}
      order={order}
      onOrder={setOrder}
      locale={locale}
    />
  )
}

const plain = (value: unknown): string => (value === null ? '' : String(value))
