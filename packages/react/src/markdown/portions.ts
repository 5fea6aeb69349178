import { useEffect, useReducer, useRef } from 'react'

/** What waits to be drawn further. One of them at a time: together they would hold up the page as one. */
const waiting = new Set<() => void>()
let asked = false

function drawNext(): void {
  asked = false
  const [first] = waiting
  if (!first) return
  waiting.delete(first)
  first()
  ask()
}

function ask(): void {
  if (asked || waiting.size === 0) return
  asked = true
  setTimeout(drawNext)
}

/**
 * How many of `count` things are drawn now: one portion more in each task, because much at once would hold up the page.
 * What is added little by little is drawn with it, and where nothing can follow everything is drawn.
 */
export function usePortions(count: number, portion: number): number {
  const drawn = useRef(0)
  const shown = typeof document === 'undefined' ? count : Math.min(count, drawn.current + portion)
  const [, goOn] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    drawn.current = shown
    if (shown === count) return
    waiting.add(goOn)
    ask()
    return () => void waiting.delete(goOn)
  })
  return shown
}
