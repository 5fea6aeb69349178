import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { isNode, type Node } from './imports.ts'

export interface AmbientUse {
  /** `process.env`, `process.stderr`, `console`, … */
  readonly what: string
  readonly line: number
}

const CHANNELS = new Set(['env', 'stdin', 'stdout', 'stderr'])

/** Where a source file takes something from its process, or says something, that nobody gave it. */
export function ambientUses(file: string): AmbientUse[] {
  const source = readFileSync(file, 'utf8')
  if (!/\b(process|console)\b/.test(source)) return []
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const found: AmbientUse[] = []
  const take = (what: string, { start }: Node) =>
    void found.push({ what, line: source.slice(0, start).split('\n').length })

  const visit = (node: Node) => {
    if (node.type === 'MemberExpression') {
      const name = nameOf(node)
      if (isGlobal(node.object, 'console')) take('console', node)
      if (isGlobal(node.object, 'process') && name !== undefined && CHANNELS.has(name)) take(`process.${name}`, node)
    }
    // `const { env } = process` and `import { env } from 'node:process'` take the same things by another way.
    if (node.type === 'VariableDeclarator' && isGlobal(node.init, 'process')) take('process', node)
    if (
      node.type === 'ImportDeclaration' &&
      isNode(node.source) &&
      /^(?:node:)?(?:process|console)$/.test(`${node.source.value}`)
    ) {
      take(`${node.source.value}`, node)
    }
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const item of value) isNode(item) && visit(item)
      else if (isNode(value)) visit(value)
    }
  }
  visit(program as unknown as Node)
  return found
}

function nameOf({ property, computed }: Node): string | undefined {
  if (!isNode(property)) return undefined
  const { name, value } = property
  if (!computed) return typeof name === 'string' ? name : undefined
  return typeof value === 'string' ? value : undefined
}

/** `console`, or `globalThis.console`. */
function isGlobal(node: unknown, name: string): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return node.name === name
  return node.type === 'MemberExpression' && nameOf(node) === name && isGlobal(node.object, 'globalThis')
}
