import type { Diagnostic } from '../schema/diagnostic.ts'
import type { Limits } from '../schema/limits.ts'
import { fill, type Messages } from '../schema/locale.ts'
import type { UiNode, UiSchemaRenderer } from '../schema/nodes.ts'

/**
 * Keeps a compiled schema within the limits. What is over them is cut at the end of its list and says how much;
 * a document within the limits is returned as it is.
 */
export function prune(
  schema: UiSchemaRenderer,
  limits: Limits,
  words: Messages,
  diagnostics: Diagnostic[],
): UiSchemaRenderer {
  const { nodes, depth } = measure(schema.root, 1)
  if (nodes <= limits.nodes && depth <= limits.depth) return schema
  const over = nodes > limits.nodes ? 'nodes' : 'depth'
  const message = `more than ${limits[over]} ${over === 'nodes' ? 'nodes' : 'levels'}: the rest is not shown`
  diagnostics.push({ level: 'error', code: `limit-${over}`, path: '', message })
  let left = limits.nodes - 1
  const cut = <N extends UiNode>(node: N, depth: number): N => {
    if (!('children' in node)) return node
    const kept: UiNode[] = []
    for (const [index, child] of node.children.entries()) {
      // A place is kept for the note that something is missing: one in this list and one in each around it.
      const room = left > depth + 1 && (depth < limits.depth - 1 || !('children' in child))
      if (!room) {
        const content = fill(words.more, { count: node.children.length - index })
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
