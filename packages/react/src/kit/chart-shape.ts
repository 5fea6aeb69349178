type Value = number | null

/** What a chart shows: series of numbers, with null for a gap. */
export interface ChartData {
  readonly kind: 'line' | 'bar' | 'area' | 'pie'
  readonly title?: string | undefined
  readonly unit?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly series: readonly { readonly name?: string | undefined; readonly data: readonly Value[] }[]
}

// The shapes below stand in a box of 100 by 100, y downwards.

export const MOST = 400

/** Beyond this, sums and quotients leave the range of numbers. */
const FAR = 1e150

export interface Scale {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

/** Round numbers around the values; always with zero, so that lengths can be compared. */
export function scaleOf(values: readonly Value[]): Scale {
  let low = 0
  let high = 0
  for (const value of values) {
    if (value === null) continue
    low = Math.max(-FAR, Math.min(low, value))
    high = Math.min(FAR, Math.max(high, value))
  }
  if (high - low < 1 / FAR) high = 1
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map(factor => factor * power).find(candidate => candidate >= rough * 0.999) ?? rough
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  // Multiples of the step, not sums: sums gather errors such as 0.30000000000000004.
  const ticks = Array.from({ length: Math.max(2, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks }
}

export const yOf = ({ min, max }: Scale, value: number): number =>
  (100 * (max - Math.min(max, Math.max(min, value)))) / (max - min)
export const xOf = (index: number, count: number): number => (100 * (index + 0.5)) / count

export const lengthOf = (chart: ChartData): number =>
  chart.series.reduce((most, { data }) => Math.max(most, data.length), chart.labels?.length ?? 0)

/** At most `MOST` values of each series: of each bucket the one farthest from zero, so that peaks stay. */
export function sampled(data: readonly Value[], length: number): Value[] {
  const values = Array.from({ length }, (_, index) => data[index] ?? null)
  if (length <= MOST) return values
  const size = Math.ceil(length / MOST)
  return Array.from({ length: Math.ceil(length / size) }, (_, bucket) =>
    values
      .slice(bucket * size, (bucket + 1) * size)
      .reduce(
        (peak, value) => (value !== null && (peak === null || Math.abs(value) > Math.abs(peak)) ? value : peak),
        null,
      ),
  )
}

/** Runs of values without a gap, as points. */
function runs(data: readonly Value[], scale: Scale): [x: number, y: number][][] {
  const found: [number, number][][] = []
  let open: [number, number][] | undefined
  for (const [index, value] of data.entries()) {
    if (value === null) {
      open = undefined
      continue
    }
    if (!open) {
      open = []
      found.push(open)
    }
    open.push([xOf(index, data.length), yOf(scale, value)])
  }
  return found
}

const at = ([x, y]: readonly [number, number]): string => `${round(x)} ${round(y)}`
const round = (value: number): number => Math.round(value * 100) / 100

export const linePath = (data: readonly Value[], scale: Scale): string =>
  runs(data, scale)
    // A single point has no length: a line to itself is drawn as a dot by its round cap.
    .map(points => `M${at(points[0]!)}L${points.map(at).join('L')}`)
    .join('')

export function areaPath(data: readonly Value[], scale: Scale): string {
  const zero = round(yOf(scale, 0))
  return runs(data, scale)
    .map(points => `M${round(points[0]![0])} ${zero}L${points.map(at).join('L')}L${round(points.at(-1)![0])} ${zero}Z`)
    .join('')
}

export const dotsPath = (data: readonly Value[], scale: Scale): string =>
  runs(data, scale)
    .flat()
    .map(point => `M${at(point)}h0`)
    .join('')

export interface Bar {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly series: number
  readonly index: number
  readonly value: number
}

/** Bars of one label stand side by side. */
export function bars(series: readonly (readonly Value[])[], scale: Scale): Bar[] {
  const zero = yOf(scale, 0)
  return series.flatMap((data, number) => {
    const cell = 100 / Math.max(1, data.length)
    const width = (cell * 0.72) / series.length
    return data.flatMap((value, index) => {
      if (value === null) return []
      const y = yOf(scale, value)
      const x = index * cell + cell * 0.14 + number * width
      return [
        { x, y: Math.min(y, zero), width: width * 0.94, height: Math.abs(y - zero), series: number, index, value },
      ]
    })
  })
}

export interface Slice {
  readonly name: string
  readonly value: number
  readonly share: number
  readonly path: string
}

/** Parts of a whole: the first series by its labels, or several series of one value each by their names. */
export function slices(chart: ChartData, nameOf: (index: number) => string): Slice[] {
  const [first] = chart.series
  const bySeries = chart.series.length > 1 && chart.series.every(({ data }) => data.length <= 1)
  const parts = bySeries
    ? chart.series.map(({ name, data }, index) => ({ name: name ?? nameOf(index), value: data[0] ?? 0 }))
    : (first?.data ?? []).map((value, index) => ({ name: chart.labels?.[index] ?? nameOf(index), value: value ?? 0 }))
  const shown = parts.filter(({ value }) => value > 0).slice(0, 60)
  const total = shown.reduce((sum, { value }) => sum + Math.min(value, FAR), 0)
  let turned = 0
  return shown.map(({ name, value }) => {
    const share = Math.min(value, FAR) / total
    const path = slicePath(turned, turned + share)
    turned += share
    return { name, value, share, path }
  })
}

function slicePath(from: number, to: number): string {
  if (to - from > 0.9999) return 'M50 2A48 48 0 1 1 49.99 2Z'
  const point = (turn: number) =>
    `${round(50 + 48 * Math.sin(2 * Math.PI * turn))} ${round(50 - 48 * Math.cos(2 * Math.PI * turn))}`
  return `M50 50L${point(from)}A48 48 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)}Z`
}
