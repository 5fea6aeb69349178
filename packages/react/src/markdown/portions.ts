import { onceAFrame } from '@vitrine/client'
import { useEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'

/** What waits to be drawn, in the order in which it was asked for. */
const waiting = new Set<() => void>()
/** Milliseconds in which things are drawn for one frame. The browser takes about twice as long to lay them out and paint them. */
const A_FRAME = 4

let asked = false
/** Something was drawn for the next frame. More of it would have to wait for that frame, and hold it up. */
let drawn = false
const frame = onceAFrame(() => {
  drawn = false
  ask()
})

function drawSome(): void {
  asked = false
  drawn = true
  frame.request()
  const since = performance.now()
  for (const draw of waiting) {
    waiting.delete(draw)
    flushSync(draw)
    if (performance.now() - since >= A_FRAME) break
  }
}

function ask(): void {
  if (asked || drawn || waiting.size === 0) return
  asked = true
  // A task of its own, behind the frame that was just begun.
  setTimeout(drawSome)
}

/**
 * Has something drawn when it has its turn. What draws more than what just changed goes through here, so that all of it
 * together never holds up a frame. The function that it returns takes it back.
 */
export function drawLater(draw: () => void): () => void {
  waiting.add(draw)
  ask()
  return () => void waiting.delete(draw)
}

/**
 * How many of `count` things are drawn now: one portion more each time, because much at once would hold up the page.
 * What is added little by little is drawn with it, and where nothing can follow everything is drawn.
 */
export function usePortions(count: number, portion: number): number {
  const before = useRef(0)
  const shown = typeof document === 'undefined' ? count : Math.min(count, before.current + portion)
  const [, goOn] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    before.current = shown
    if (shown < count) return drawLater(goOn)
  })
  return shown
}
