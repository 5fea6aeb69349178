import { createElement, type ReactNode } from 'react'
import { withClass } from './with-class.ts'

/** What an icon of lucide is: the elements inside its drawing, in a box of 24 by 24. */
export type IconData = readonly (readonly [tag: string, attributes: object])[]

const drawings = new WeakMap<IconData, ReactNode>()

function drawn(data: IconData): ReactNode {
  let drawing = drawings.get(data)
  if (drawing === undefined) {
    drawing = data.map(([tag, attributes], key) => createElement(tag, { ...attributes, key }))
    drawings.set(data, drawing)
  }
  return drawing
}

interface Props {
  of: IconData
  className?: string
  /** What it says to those who cannot see it. Without it, it is decoration beside words. */
  label?: string
}

/**
 * Draws an icon. Its elements are made once per icon, and what all icons share is in the style sheet: a page draws them
 * by the hundred, and a dozen attributes on each took a third of the time of a large card.
 */
export function Icon({ of, className, label }: Props) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden, or has a label.
    <svg
      className={withClass('v-icon', className)}
      viewBox="0 0 24 24"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {drawn(of)}
    </svg>
  )
}
