import { problem, type UiDiagnostic } from '../diagnostic.ts'
import type { UiLimits } from '../limits.ts'
import type { UiNode, UiSchemaRenderer } from '../schema/nodes.ts'
import { fillWords, type UiWords } from '../schema/words.ts'

/**
 * Keeps a compiled schema within the limits. What is over them is cut at the end of its list and says how much;
 * a document within the limits is returned as it is.
 */
export function prune(
  schema: UiSchemaRenderer,
  limits: UiLimits,
  words: UiWords,
  diagnostics: UiDiagnostic[],
): UiSchemaRenderer {
  const { nodes, depth } = measure(schema.root, 1)
  if (nodes <= limits.components && depth <= limits.depth) return schema
  diagnostics.push(
    nodes > limits.components
      ? problem('too_many_components', `more than ${limits.components} nodes: the rest is not shown`)
      : problem('too_deep', `more than ${limits.depth} levels: the rest is not shown`),
  )
  let left = limits.components - 1
  const cut = <N extends UiNode>(node: N, depth: number): N => {
    if (!('children' in node)) return node
    const kept: UiNode[] = []
    for (const [index, child] of node.children.entries()) {
      // A place is kept for the note that something is missing: one in this list and one in each around it.
      const room = left > depth + 1 && (depth < limits.depth - 1 || !('children' in child))
      if (!room) {
        const content = fillWords(words.more, { count: node.children.length - index })
        kept.push({ type: 'text', content, role: 'caption' })
        left--
        break
      }
      left--
      kept.push(cut(child, depth + 1))
    }
    return { ...node, children: kept }
  }
  return { ...schema, root: cut(schema.root, 1) }
}

function measure(node: UiNode, level: number): { nodes: number; depth: number } {
  if (!('children' in node)) return { nodes: 1, depth: level }
  let nodes = 1
  let depth = level
  for (const child of node.children) {
    const inner = measure(child, level + 1)
    nodes += inner.nodes
    depth = Math.max(depth, inner.depth)
  }
  return { nodes, depth }
}
