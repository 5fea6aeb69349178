/** The names under which a list of envelopes stands: in the arguments of the tool, and in the wrapper of the public protocol. */
const LISTS = ['envelopes', 'messages'] as const

/** What stands in the place of the list of envelopes, where an object has one. */
export const wrapped = <T>(given: { readonly [name: string]: T }): T | undefined =>
  given[LISTS.find(name => given[name] !== undefined) ?? LISTS[0]]

/** Whether a list of envelopes stands under this name. */
export const wraps = (name: string): boolean => LISTS.some(list => list === name)
