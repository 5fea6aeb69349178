import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { drawLater } from '../markdown/portions.ts'
import type { Row } from './conversation-rows.ts'
import { RowHeights } from './row-heights.ts'

/** Where somebody reads: how far the upper edge of the view is below that of a row. */
export interface Place {
  key: string
  /** Its message, for when the row itself is no longer there. */
  messageId: string | null
  offset: number
}

/** What is to be seen of a list. */
export interface ListView {
  /** The end is out of view, and the list does not follow it. */
  away: boolean
  /** Pixels above the view. */
  above: number
  /** Where the person reads; null at the end. */
  place: Place | null
}

export interface RowListControl {
  /** Goes to the end, and follows it from there. */
  toEnd(): void
  /** Brings a row into view, so many pixels below the upper edge. It is drawn and in its place when this returns. */
  show(key: string, below?: number): void
  /** The first (1) or the last (-1) row in view. */
  edge(side: 1 | -1): number
  readonly element: HTMLElement | null
}

interface Props {
  rows: readonly Row[]
  label: string
  /** About how high a row is before it was drawn. It keeps its identity. */
  guess: (row: Row) => number
  /** Where the list begins to be read; at its end without it. */
  start: Place | null
  /** While the list follows its end, this row does not leave the view at the top. */
  stop: string | null
  drawRow: (row: Row) => ReactNode
  /** What stands around the rows of a message. */
  drawMessage: (messageId: string, rows: ReactNode) => ReactNode
  onView: (view: ListView) => void
  control: Ref<RowListControl>
}

/** Rows are drawn so many pixels beyond the view, so that they are there before they are seen. */
const BEYOND = 600
/** Closer to the end than this, the view belongs to the end. */
const NEAR_END = 48
/** Milliseconds in which rows are drawn until the view is full. Those that are left come a frame later. */
const FILLING = 6
/** Free space behind the last row. */
const TAIL = 24

/**
 * Draws the rows in view and those near it. It holds on to what the person looks at: to the end until they scroll up,
 * then to the uppermost row in view, whatever comes, goes or changes its height above it.
 */
export function RowList({ rows, label, guess, start, stop, drawRow, drawMessage, onView, control }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const tail = useRef<HTMLDivElement>(null)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const heights = useMemo(() => new RowHeights<Row>(guess), [guess])
  const [spot] = useState(() => startSpot(start))
  const drawn = useRef<Drawn>({ from: 0, to: -1, kept: [] })
  const told = useRef(onView)
  told.current = onView

  // The browser tells of a movement with its next frame. Rows that change before that must not change where it has led.
  noticeMovement(scroller.current, heights, spot)
  spot.stop = stop
  heights.setRows(rows)
  drawn.current = drawnRows(heights, spot)

  const tell = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const left = heights.total + TAIL - element.scrollTop - spot.height
    const away = !spot.following && left >= NEAR_END
    told.current({ away, above: element.scrollTop, place: spot.following ? null : spot.place })
  }, [heights, spot])

  /** Puts what the person looks at where it was, after something changed. Draws more when the view is not full. */
  const settle = useCallback(
    (redraw: () => void) => {
      const element = scroller.current
      if (!element || !tail.current) return
      spot.height = element.clientHeight
      spot.width = element.clientWidth
      spot.filling ??= performance.now()
      const filled = isFilled(heights, spot, drawn.current)
      if (!filled && performance.now() - spot.filling < FILLING) return redraw()
      spot.filling = null
      if (!filled) drawLater(draw)
      const wanted = topOf(heights, spot)
      const end = heights.total + TAIL
      // What got shorter leaves free space behind it instead of pulling down what is above.
      const free = spot.asked ? 0 : Math.max(0, wanted + spot.height - Math.max(end, spot.height))
      tail.current.style.blockSize = `${TAIL + free}px`
      const top = Math.max(0, Math.min(wanted, end + free - spot.height))
      if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top
      spot.put = element.scrollTop
      if (spot.asked || spot.following) spot.place = placeAt(heights, spot.put)
      spot.asked = false
      tell()
    },
    [heights, spot, tell],
  )
  const sizes = useSizes(heights, {
    before: () => noticeMovement(scroller.current, heights, spot),
    after: () => settle(() => flushSync(draw)),
  })
  useLayoutEffect(() => {
    sizes.follow(scroller.current)
    settle(draw)
  })
  useEffect(() => {
    // What is in view is painted first.
    const timer = setTimeout(() => {
      spot.beyond = BEYOND
      draw()
    })
    return () => clearTimeout(timer)
  }, [spot])

  useLayoutEffect(() => {
    const element = scroller.current!
    const onScroll = () => {
      const moved = noticeMovement(element, heights, spot)
      if (tail.current && moved < 0) tail.current.style.blockSize = `${TAIL + Math.max(0, freeBehind(heights, spot))}px`
      if (!isFilled(heights, spot, drawn.current, BEYOND / 2)) flushSync(draw)
      tell()
    }
    // Who opens a row wants to see that row, not the end.
    const opened = (event: Event) => {
      if ((event.target as Element).closest('summary')) spot.following = false
    }
    const focused = () => {
      const inside = element.contains(document.activeElement) ? document.activeElement : null
      const key = inside?.closest<HTMLElement>('[data-row]')?.dataset.row ?? null
      spot.focused = { key, messageId: inside?.closest<HTMLElement>('[data-message]')?.dataset.message ?? null }
      if (drawnRows(heights, spot).kept.join() === drawn.current.kept.join()) return
      // The next key may already be meant for a row that is kept from now on; React may be at work right now.
      queueMicrotask(() => flushSync(draw))
    }
    const box = new ResizeObserver(() => {
      if (element.clientHeight === spot.height && element.clientWidth === spot.width) return
      // A view that got higher shows more of what is above the end, and no free space.
      if (spot.following) spot.place = null
      settle(() => flushSync(draw))
    })
    box.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('click', opened)
    element.addEventListener('focusin', focused)
    // Before the next element has the focus, none has it.
    const left = () => queueMicrotask(focused)
    element.addEventListener('focusout', left)
    return () => {
      box.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('click', opened)
      element.removeEventListener('focusin', focused)
      element.removeEventListener('focusout', left)
    }
  }, [heights, spot, settle, tell])

  useImperativeHandle(
    control,
    () => ({
      toEnd() {
        noticeMovement(scroller.current, heights, spot)
        spot.following = true
        spot.place = null
        flushSync(draw)
      },
      show(key, below = 0) {
        noticeMovement(scroller.current, heights, spot)
        spot.following = false
        spot.place = { key, messageId: null, offset: -below }
        spot.asked = true
        flushSync(draw)
      },
      edge: side => heights.at(spot.put + (side > 0 ? 0 : spot.height)),
      get element() {
        return scroller.current
      },
    }),
    [heights, spot],
  )

  const one = (at: number) => {
    const row = rows[at]!
    return (
      <div key={row.key} className="v-row" data-row={row.key} data-gap={row.gap}>
        {drawRow(row)}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the history scrolls, and the keyboard must be able to.
    <section ref={scroller} className="v-scroller" tabIndex={0} aria-label={label}>
      {grouped(heights, drawn.current).map(group => {
        if ('height' in group) return space(group)
        const inside = group.rows.map(item => (typeof item === 'number' ? one(item) : space(item)))
        return group.messageId === null ? inside : drawMessage(group.messageId, inside)
      })}
      <div ref={tail} aria-hidden />
    </section>
  )
}

/** What the list holds on to. */
interface Spot {
  following: boolean
  place: Place | null
  /** The place was asked for: it may be nearer to the end than the view is high. */
  asked: boolean
  /** The size of the view, and how far beyond it rows are drawn. */
  height: number
  width: number
  beyond: number
  /** Since when rows are drawn because the view is not full; null when it is, or when the rest comes later. */
  filling: number | null
  /** Where the list was scrolled to, by us or by the person. */
  put: number
  /** The row that the end does not push out of view. */
  stop: string | null
  focused: { key: string | null; messageId: string | null }
}

const startSpot = (place: Place | null): Spot => ({
  following: place === null,
  place,
  asked: place !== null,
  height: globalThis.innerHeight ?? 800,
  width: 0,
  beyond: 0,
  filling: null,
  put: 0,
  stop: null,
  focused: { key: null, messageId: null },
})

/** Pixels between the last row and the lower edge of the view; negative when rows are below it. */
const freeBehind = (heights: RowHeights<Row>, { put, height }: Spot) => put + height - heights.total - TAIL

/**
 * How far the person has scrolled since the list was put where it is: downwards, or upwards when it is negative. From
 * then on the list holds on to what they have come to. It is asked before rows change, while their heights are still
 * those that the person has scrolled over.
 */
function noticeMovement(element: HTMLElement | null, heights: RowHeights<Row>, spot: Spot): number {
  if (!element) return 0
  const top = element.scrollTop
  const moved = top - spot.put
  spot.put = top
  // What got shorter pulls the view to its end, and nobody has scrolled then.
  const pulled = moved < 0 && top + element.clientHeight >= element.scrollHeight - 1
  if (moved === 0 || pulled || spot.asked) return 0
  if (moved < 0) spot.following = false
  else if (freeBehind(heights, spot) > -NEAR_END) spot.following = true
  spot.place = heldAt(heights, top, spot.height)
  return moved
}

function placeAt(heights: RowHeights<Row>, top: number, at = heights.at(top)): Place | null {
  const row = heights.rows[at]
  return row ? { key: row.key, messageId: row.messageId, offset: top - heights.top(at) } : null
}

/**
 * What the person holds on to who scrolled here: the uppermost row in view, or one behind the place where earlier parts
 * of a message come in. The row right behind that place gets lower when it joins the plate of those before it.
 */
function heldAt(heights: RowHeights<Row>, top: number, height: number): Place | null {
  const { rows } = heights
  const first = heights.at(top)
  for (let at = first; at < rows.length && heights.top(at) < top + height; at++) {
    if (rows[at]!.kind === 'earlier') return placeAt(heights, top, Math.min(at + 2, rows.length - 1))
  }
  return placeAt(heights, top, first)
}

/** Where the view begins. */
function topOf(heights: RowHeights<Row>, { following, place, height, stop }: Spot): number {
  const stopAt = stop === null ? -1 : heights.indexOf(stop)
  const end = Math.min(heights.total + TAIL - height, stopAt < 0 ? Number.POSITIVE_INFINITY : heights.top(stopAt))
  // What got much shorter leaves no more free space than half of the view.
  const most = Math.max(end, heights.total - height / 2)
  const held = Math.min(most, place === null ? end : (heightOf(heights, place) ?? end))
  return following ? Math.max(end, held) : held
}

function heightOf(heights: RowHeights<Row>, { key, messageId, offset }: Place): number | null {
  const at = heights.indexOf(key)
  if (at >= 0) return heights.top(at) + offset
  const first = messageId === null ? -1 : heights.rows.findIndex(row => row.messageId === messageId)
  return first < 0 ? null : heights.top(first)
}

/** The rows that exist: those from one to another, and some that are kept although they are out of view. */
interface Drawn {
  from: number
  to: number
  kept: readonly number[]
}

function drawnRows(heights: RowHeights<Row>, spot: Spot): Drawn {
  const { rows } = heights
  const top = topOf(heights, spot)
  const from = heights.at(top - spot.beyond)
  const to = Math.min(heights.at(top + spot.height + spot.beyond), rows.length - 1)
  const { key, messageId } = spot.focused
  // What has the focus must not vanish, nor the buttons that the keys of its message press.
  const kept = [
    key === null ? -1 : heights.indexOf(key),
    messageId === null ? -1 : rows.findLastIndex(row => row.messageId === messageId),
  ]
  return { from, to, kept: kept.filter(at => at >= 0 && (at < from || at > to)) }
}

function isFilled(heights: RowHeights<Row>, spot: Spot, { from, to }: Drawn, beyond = 0): boolean {
  const top = topOf(heights, spot)
  return heights.at(top - beyond) >= from && heights.at(top + spot.height + beyond) <= to
}

interface Space {
  key: string
  height: number
}

const space = ({ key, height }: Space) => <div key={key} style={{ blockSize: height }} aria-hidden />

/** The drawn rows by message, with free space in the place of those that are not drawn. */
function grouped(heights: RowHeights<Row>, { from, to, kept }: Drawn) {
  const { rows } = heights
  const groups: (Space | { messageId: string | null; rows: (number | Space)[] })[] = []
  const indices = new Set([...kept.filter(at => at < from)].sort((a, b) => a - b))
  for (let at = from; at <= to; at++) indices.add(at)
  for (const at of [...kept.filter(at => at > to)].sort((a, b) => a - b)) indices.add(at)
  let next = 0
  for (const at of indices) {
    const { messageId, key } = rows[at]!
    const last = groups.at(-1)
    const same = last && 'rows' in last && messageId !== null && last.messageId === messageId ? last.rows : null
    if (at > next) (same ?? groups).push({ key: `before:${key}`, height: heights.top(at) - heights.top(next) })
    if (same) same.push(at)
    else groups.push({ messageId, rows: [at] })
    next = at + 1
  }
  if (next < rows.length) groups.push({ key: 'behind', height: heights.total - heights.top(next) })
  return groups
}

/** Measures rows when they are drawn and when they change. `around` is told before and after the latter. */
function useSizes(heights: RowHeights<Row>, around: { before: () => void; after: () => void }) {
  const change = useRef(around)
  change.current = around
  return useMemo(() => {
    const followed = new WeakSet<Element>()
    let observer: ResizeObserver | undefined
    const changes = (entries: readonly ResizeObserverEntry[]) => {
      let changed = false
      change.current.before()
      for (const { target, borderBoxSize } of entries) {
        const { row } = (target as HTMLElement).dataset
        if (!target.isConnected || row === undefined) observer?.unobserve(target)
        else changed = heights.measure(row, borderBoxSize[0]!.blockSize) || changed
      }
      if (changed) change.current.after()
    }
    return {
      /** Measures the rows as they have just been drawn, and follows those that are new. */
      follow(list: HTMLElement | null) {
        observer ??= new ResizeObserver(changes)
        for (const row of list?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
          heights.measure(row.dataset.row!, row.getBoundingClientRect().height)
          if (followed.has(row)) continue
          followed.add(row)
          observer.observe(row)
        }
      },
    }
  }, [heights])
}
