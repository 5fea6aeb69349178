import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

export interface Import {
  readonly specifier: string
  readonly line: number
  /** False when type stripping removes the whole statement. `import { type A }` stays, and it loads its module. */
  readonly runtime: boolean
}

export interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Lists what a source file imports: import, export from, import(), and types written as import('…'). */
export function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8')
  if (!/\b(import|from)\b/.test(source)) return []
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const found: Import[] = []

  const take = (from: unknown, runtime: boolean) => {
    if (!isNode(from)) return
    const constant = from.type === 'TemplateLiteral' ? (from.quasis as { value: { cooked: string } }[]) : undefined
    const specifier = constant?.length === 1 ? constant[0]?.value.cooked : from.value
    if (typeof specifier !== 'string') return
    const line = source.slice(0, from.start).split('\n').length
    found.push({ specifier: specifier.replace(/\?.*$/, ''), line, runtime })
  }

  const visit = (node: Node) => {
    if (node.type === 'ImportDeclaration') take(node.source, node.importKind !== 'type')
    if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
      take(node.source, node.exportKind !== 'type')
    }
    if (node.type === 'ImportExpression') take(node.source, true)
    if (node.type === 'TSImportType') take(node.source ?? node.argument, false)
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const item of value) isNode(item) && visit(item)
      else if (isNode(value)) visit(value)
    }
  }
  visit(program as unknown as Node)
  return found
}
