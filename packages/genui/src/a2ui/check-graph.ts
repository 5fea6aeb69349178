import { EnvelopeRefusal } from './refusal.ts'

/** Which component names which others, and by which others it is named. */
export interface Graph {
  refs(id: string): readonly string[]
  readonly parents: ReadonlyMap<string, ReadonlySet<string>>
}

/** Refuses cycles and depth, told where `at` says that the component came from. It is looked at from what changed: downwards through its children, upwards through its parents. */
export function checkGraph(
  graph: Graph,
  changed: Iterable<string>,
  maxDepth: number,
  at: (id: string) => string,
): void {
  /** Levels from a component with children downwards; -1 while they are being counted. */
  let below: Map<string, number> | undefined
  /** Levels from a component with parents upwards. */
  let above: Map<string, number> | undefined
  // Nothing deeper is followed: a chain of thousands would be too much for the stack.
  const tooDeep = (id: string): EnvelopeRefusal =>
    new EnvelopeRefusal(
      'too_deep',
      at(id),
      `Global recursion limit exceeded: logical depth at '${id}' is more than ${maxDepth}. Flatten the tree.`,
    )
  const height = (id: string, level: number): number => {
    const refs = graph.refs(id)
    if (refs.length === 0) return 1
    below ??= new Map()
    const known = below.get(id)
    if (known === -1)
      throw new EnvelopeRefusal(
        'circular_reference',
        at(id),
        `Circular reference detected: '${id}' contains itself. A component appears once on its own path.`,
      )
    if (known !== undefined) return known
    if (level > maxDepth) throw tooDeep(id)
    below.set(id, -1)
    let result = 1
    for (const ref of refs) {
      if (ref === id)
        throw new EnvelopeRefusal('circular_reference', at(id), `Self-reference detected: '${id}' is its own child.`)
      result = Math.max(result, 1 + height(ref, level + 1))
    }
    below.set(id, result)
    return result
  }
  const depth = (id: string, level: number): number => {
    const parents = graph.parents.get(id)
    if (!parents) return 1
    above ??= new Map()
    const known = above.get(id)
    if (known !== undefined) return known
    if (level > maxDepth) throw tooDeep(id)
    let result = 1
    for (const parent of parents) result = Math.max(result, 1 + depth(parent, level + 1))
    above.set(id, result)
    return result
  }
  // All cycles are found before anything is followed upwards.
  for (const id of changed) height(id, 1)
  for (const id of changed) if (height(id, 1) + depth(id, 1) - 1 > maxDepth) throw tooDeep(id)
}
