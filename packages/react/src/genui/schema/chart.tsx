import type { ResolvedNode } from '@vitrine/genui/schema'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useMemo, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { visible, visibleText } from '../../visible.tsx'
import {
  areaPath,
  bars,
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
import { Table } from './table.tsx'
import { useUi } from './ui-context.ts'

type ChartNode = ResolvedNode<'chart'>

/** A drawing, its legend, and the numbers as a table for those who want or need them. */
export function Chart({ node }: { node: ChartNode }) {
  const { t } = useI18n()
  const { locale } = useUi()
  const format = useMemo(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }), [locale])
  const unit = node.unit === undefined ? '' : ` ${visibleText(node.unit)}`
  const written = (value: number) => format.format(value) + unit
  const seriesName = (index: number) => node.series[index]?.name ?? t('ui.chart.series', { count: index + 1 })
  const values = node.series.flatMap(({ data }) => data).filter(value => value !== null)
  const length = lengthOf(node)
  const label = t('ui.chart.summary', {
    kind: t(`ui.chart.${node.kind}`),
    title: node.title ?? '',
    count: values.length,
    min: values.length > 0 ? written(values.reduce((a, b) => Math.min(a, b))) : '–',
    max: values.length > 0 ? written(values.reduce((a, b) => Math.max(a, b))) : '–',
  })
  return (
    <figure className="v-ui-chart">
      {node.title && (
        <figcaption className="v-ui-chart-title" dir="auto">
          {visible(node.title)}
        </figcaption>
      )}
      {values.length === 0 ? (
        <p className="v-ui-note">{t('ui.chart.empty')}</p>
      ) : node.kind === 'pie' ? (
        <Pie
          parts={slices(node, index => t('ui.chart.series', { count: index + 1 }))}
          label={label}
          written={written}
        />
      ) : (
        <Plot node={node} length={length} label={label} seriesName={seriesName} written={written} />
      )}
      {length > MOST && node.kind !== 'pie' && (
        <p className="v-ui-note">{t('ui.chart.sampled', { shown: MOST, count: length })}</p>
      )}
      {values.length > 0 && <Numbers node={node} length={length} seriesName={seriesName} />}
    </figure>
  )
}

interface PlotProps {
  node: ChartNode
  length: number
  label: string
  seriesName: (index: number) => string
  written: (value: number) => string
}

function Plot({ node, length, label, seriesName, written }: PlotProps) {
  const { locale } = useUi()
  const short = useMemo(
    () => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
    [locale],
  )
  const series = useMemo(() => node.series.map(({ data }) => sampled(data, length)), [node, length])
  const scale = useMemo(() => scaleOf(series.flat()), [series])
  const count = series[0]?.length ?? 0
  const ticks = scale.ticks.map(tick => short.format(tick))
  const widest = ticks.reduce((longest, tick) => (tick.length > longest.length ? tick : longest), '')
  const every = Math.ceil(count / 12)
  const labels = node.labels && count === length ? node.labels : undefined
  return (
    <>
      {(node.series.length > 1 || node.series[0]?.name) && (
        <ul className="v-ui-legend">
          {node.series.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: series may share a name.
            <li key={index}>
              <span className="v-ui-swatch" data-series={index % 6} data-kind={node.kind} />
              <span dir="auto">{visible(seriesName(index))}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="v-ui-plot" dir="ltr">
        <div className="v-ui-axis" aria-hidden>
          <span className="v-ui-widest">{widest}</span>
          {scale.ticks.map((tick, index) => (
            <span key={tick} style={{ insetBlockStart: `${yOf(scale, tick)}%` }}>
              {ticks[index]}
            </span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label} data-kind={node.kind}>
          {scale.ticks.map(tick => (
            <path
              key={tick}
              className="v-ui-gridline"
              data-zero={tick === 0 || undefined}
              d={`M0 ${yOf(scale, tick)}H100`}
            />
          ))}
          {node.kind === 'bar'
            ? bars(series, scale).map(({ x, y, width, height, series: number, index, value }) => (
                <rect
                  key={`${number}/${index}`}
                  className="v-ui-bar"
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
                  {node.kind === 'area' && <path className="v-ui-area" d={areaPath(data, scale)} />}
                  <path className="v-ui-line" d={linePath(data, scale)} />
                  {count <= 40 && <path className="v-ui-dots" d={dotsPath(data, scale)} />}
                </g>
              ))}
        </svg>
        {labels && (
          <div className="v-ui-labels" aria-hidden data-many={count > 6 || undefined}>
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

function Pie({
  parts,
  label,
  written,
}: {
  parts: readonly Slice[]
  label: string
  written: (value: number) => string
}) {
  const { locale } = useUi()
  const { t } = useI18n()
  const percent = useMemo(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }), [locale])
  if (parts.length === 0) return <p className="v-ui-note">{t('ui.chart.empty')}</p>
  return (
    <div className="v-ui-pie">
      <svg viewBox="0 0 100 100" role="img" aria-label={label}>
        {parts.map(({ name, value, path }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may share a name.
          <path key={index} className="v-ui-slice" data-series={index % 6} d={path}>
            <title>{visibleText(`${name} · ${written(value)}`)}</title>
          </path>
        ))}
      </svg>
      <ul className="v-ui-legend">
        {parts.map(({ name, value, share }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may share a name.
          <li key={index}>
            <span className="v-ui-swatch" data-series={index % 6} data-kind="pie" />
            <span dir="auto">{visible(name)}</span>
            <span className="v-ui-part">
              {written(value)} · {percent.format(share)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Numbers({
  node,
  length,
  seriesName,
}: {
  node: ChartNode
  length: number
  seriesName: (index: number) => string
}) {
  const { t } = useI18n()
  const [open, setOpen] = useState(false)
  const unit = node.unit ? ` (${node.unit})` : ''
  const table = () => ({
    columns: [{ label: '' }, ...node.series.map((_, index) => ({ label: seriesName(index) + unit }))],
    rows: Array.from({ length }, (_, row) => [
      node.labels?.[row] ?? row + 1,
      ...node.series.map(({ data }) => data[row] ?? null),
    ]),
  })
  return (
    <details className="v-disclosure" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight className="v-chevron" aria-hidden />
        {t('ui.chart.numbers')}
      </summary>
      {open && <Table {...table()} caption={node.title} />}
    </details>
  )
}
