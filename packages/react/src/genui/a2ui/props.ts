import { type NodeSnapshot, valueText } from '@vitrine/genui/a2ui'
import { isObject, type Json } from '@vitrine/protocol'
import type { CSSProperties } from 'react'
import { visibleText } from '../../visible.tsx'

/** A value as it came: what is edited and sent back, or an address. */
export const given = (node: NodeSnapshot, key: string): string => valueText(node.props[key])

/** Words that are shown: nothing in them can reorder or hide what a person reads (C08). */
export const shown = (value: Json | undefined): string => visibleText(valueText(value))
export const text = (node: NodeSnapshot, key: string): string => shown(node.props[key])

export const finite = (value: Json | undefined, fallback: number): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}

/** One of the words that the catalog knows; anything else is the first. */
export function oneOf<T extends string>(value: Json | undefined, first: T, ...more: readonly T[]): T {
  return more.find(word => word === value) ?? first
}

export interface Accessibility {
  label?: string
  description?: string
  live?: 'polite' | 'assertive' | 'off'
  hidden?: boolean
}

export function accessibilityOf(node: NodeSnapshot): Accessibility {
  const { accessibility } = node.props
  if (!isObject(accessibility)) return {}
  const label = shown(accessibility.label)
  const description = shown(accessibility.description)
  const live = oneOf(accessibility.live, '', 'polite', 'assertive', 'off')
  return {
    ...(label && { label }),
    ...(description && { description }),
    ...(live && { live }),
    ...(accessibility.hidden === true && { hidden: true }),
  }
}

/** Weight in the row or column around it, and what assistive technology is told. */
export function frame(node: NodeSnapshot, className: string) {
  const { weight } = node.props
  const { label, description, live, hidden } = accessibilityOf(node)
  const weighted = typeof weight === 'number' && weight > 0
  return {
    className: weighted ? `${className} v-a2-weighted` : className,
    ...(weighted && { style: { flexGrow: weight } as CSSProperties }),
    ...(label !== undefined && { 'aria-label': label }),
    ...(description !== undefined && { 'aria-description': description }),
    ...(live !== undefined && { 'aria-live': live }),
    ...(hidden && { 'aria-hidden': true as const }),
  }
}

/** For an element without a role of its own, where a label alone would be ignored. */
export function group(node: NodeSnapshot, className: string) {
  const attributes = frame(node, className)
  return attributes['aria-label'] === undefined ? attributes : { ...attributes, role: 'group' }
}

export interface Option {
  value: Json
  label: string
}

export function options(value: Json | undefined): Option[] {
  if (!Array.isArray(value)) return []
  return value.map(item =>
    isObject(item)
      ? { value: item.value ?? '', label: shown(item.label ?? item.value) }
      : { value: item, label: shown(item) },
  )
}
