import type { Card, Field, Form, Table } from './contents.ts'

/** A2UI v0.9 with the basic catalog: a surface and its flat list of components, minified. */
type Component = { id: string; component: string; [property: string]: unknown }

const catalogId = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

function surface(id: string, components: readonly Component[]): string {
  return [
    { version: 'v0.9', createSurface: { surfaceId: id, catalogId } },
    { version: 'v0.9', updateComponents: { surfaceId: id, components } },
  ]
    .map(message => JSON.stringify(message))
    .join('\n')
}

const text = (id: string, value: string, variant?: string): Component => ({
  id,
  component: 'Text',
  text: value,
  ...(variant && { variant }),
})

const button = (id: string, label: string, action: unknown, variant?: string): Component[] => [
  { id, component: 'Button', child: `${id}_label`, ...(variant && { variant }), action },
  text(`${id}_label`, label),
]

export function card(content: Card): string {
  const facts = content.facts.map(([label, value], index) => text(`f${index}`, `${label}: ${value}`))
  return surface('card', [
    { id: 'root', component: 'Card', child: 'col' },
    { id: 'col', component: 'Column', children: ['title', 'status', 'text', ...facts.map(({ id }) => id), 'row'] },
    text('title', content.title, 'h3'),
    text('status', content.status, 'caption'),
    text('text', content.text),
    ...facts,
    { id: 'row', component: 'Row', children: ['open', 'run'] },
    ...button(
      'open',
      content.open.label,
      { functionCall: { call: 'openUrl', args: { url: content.open.path } } },
      'primary',
    ),
    ...button('run', content.run.label, { event: { name: content.run.tool, context: content.run.params } }),
  ])
}

/** The basic catalog has no table: rows of texts. */
export function table(content: Table): string {
  const row = (id: string, cells: readonly (string | number)[], variant?: string): Component[] => [
    { id, component: 'Row', children: cells.map((_, index) => `${id}_${index}`) },
    ...cells.map((cell, index) => text(`${id}_${index}`, String(cell), variant)),
  ]
  const rows = content.rows.map((cells, index) => row(`r${index}`, cells))
  return surface('table', [
    { id: 'root', component: 'Column', children: ['title', 'head', ...rows.map((_, index) => `r${index}`)] },
    text('title', content.title, 'h3'),
    ...row('head', content.columns, 'caption'),
    ...rows.flat(),
  ])
}

export function form(content: Form): string {
  const values = Object.fromEntries(content.fields.map(({ name }) => [name, { path: `/${name}` }]))
  return surface('form', [
    { id: 'root', component: 'Column', children: ['title', ...content.fields.map(({ name }) => name), 'send'] },
    text('title', content.title, 'h3'),
    ...content.fields.map(input),
    ...button('send', content.submit, { event: { name: content.name, context: values } }, 'primary'),
  ])
}

function input(field: Field): Component {
  const value = { path: `/${field.name}` }
  const check = (call: string, args: object, message: string) => ({
    condition: { call, args: { value, ...args } },
    message,
  })
  const checks = [
    ...(field.required ? [check('required', {}, 'Required')] : []),
    ...(field.kind === 'email' ? [check('email', {}, 'Not an email')] : []),
    ...(field.minLength === undefined ? [] : [check('length', { min: field.minLength }, 'Too short')]),
  ]
  if (field.options) {
    const options = Object.entries(field.options).map(([option, label]) => ({ label, value: option }))
    return {
      id: field.name,
      component: 'ChoicePicker',
      label: field.label,
      variant: 'mutuallyExclusive',
      options,
      value,
      checks,
    }
  }
  const variant = field.kind === 'multiline' ? { variant: 'longText' } : {}
  return { id: field.name, component: 'TextField', label: field.label, ...variant, value, checks }
}
