import { type Json, jsonEqual, own } from '@vitrine/protocol'

export interface JsonChange {
  /** Names and numbers with a dot between them; empty for the whole value. */
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

/** The places where two values differ, as deep as both have the same kind of container. */
export function changesBetween(before: Json | undefined, after: Json | undefined, path = ''): JsonChange[] {
  if (before === undefined || after === undefined || !isContainer(before) || !isContainer(after)) {
    if (before === after || (before !== undefined && after !== undefined && jsonEqual(before, after))) return []
    return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
  }
  if (Array.isArray(before) !== Array.isArray(after)) return [{ path, before, after }]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap(name =>
    changesBetween(own(members(before), name), own(members(after), name), path ? `${path}.${name}` : name),
  )
}

const members = (value: Json[] | { [key: string]: Json }) => value as { [key: string]: Json }

const isContainer = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null
