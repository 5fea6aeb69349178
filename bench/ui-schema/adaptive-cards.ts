import type { Card, Field, Form, Table } from './contents.ts'

/** Adaptive Cards 1.6, minified. */
const adaptive = (body: unknown[], actions: unknown[] = []): string =>
  JSON.stringify({ type: 'AdaptiveCard', version: '1.6', body, ...(actions.length > 0 && { actions }) })

const title = (text: string) => ({ type: 'TextBlock', text, size: 'Large', weight: 'Bolder' })

export const card = (content: Card): string =>
  adaptive(
    [
      title(content.title),
      { type: 'TextBlock', text: content.status, color: content.status === 'error' ? 'Attention' : 'Good' },
      { type: 'TextBlock', text: content.text, wrap: true },
      { type: 'FactSet', facts: content.facts.map(([label, value]) => ({ title: label, value })) },
    ],
    [
      { type: 'Action.OpenUrl', title: content.open.label, url: content.open.path, style: 'positive' },
      {
        type: 'Action.Execute',
        title: content.run.label,
        verb: content.run.tool,
        data: content.run.params,
        style: 'destructive',
      },
    ],
  )

export function table(content: Table): string {
  const row = (cells: readonly (string | number)[]) => ({
    type: 'TableRow',
    cells: cells.map(cell => ({ type: 'TableCell', items: [{ type: 'TextBlock', text: String(cell) }] })),
  })
  const columns = content.columns.map(() => ({ width: 1 }))
  return adaptive([
    title(content.title),
    { type: 'Table', firstRowAsHeader: true, columns, rows: [row(content.columns), ...content.rows.map(row)] },
  ])
}

export const form = (content: Form): string =>
  adaptive(
    [title(content.title), ...content.fields.map(input)],
    [{ type: 'Action.Submit', title: content.submit, style: 'positive' }],
  )

function input(field: Field): unknown {
  const { name: id, label, placeholder, required: isRequired, minLength, options } = field
  const common = { id, label, placeholder, isRequired, errorMessage: `${label} is required` }
  if (options) {
    const choices = Object.entries(options).map(([value, label]) => ({ title: label, value }))
    return { type: 'Input.ChoiceSet', ...common, choices }
  }
  return {
    type: 'Input.Text',
    ...common,
    ...(field.kind === 'email' && { style: 'Email' }),
    ...(field.kind === 'multiline' && { isMultiline: true }),
    ...(minLength !== undefined && { regex: `.{${minLength},}` }),
  }
}
