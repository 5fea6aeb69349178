import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { Card, Form, Table } from './contents.ts'

/** UiHints 2.1 in the forms of its document, minified as an agent is told to write it. */
export const card = (content: Card): UiHintsPayload => ({
  intent: 'status',
  status: content.status,
  title: content.title,
  body: content.text,
  items: content.facts.map(([key, value]) => ({ key, value })),
  actions: [
    { label: content.open.label, style: 'primary', action: { type: 'navigation', path: content.open.path } },
    {
      label: content.run.label,
      style: 'danger',
      action: { type: 'tool', toolId: content.run.tool, params: { ...content.run.params } },
    },
  ],
})

export const table = (content: Table): UiHintsPayload => ({
  intent: 'data',
  title: content.title,
  table: { columns: [...content.columns], rows: content.rows.map(row => [...row]) },
})

export const form = (content: Form): UiHintsPayload => ({
  intent: 'form',
  title: content.title,
  fields: content.fields.map(({ name, kind, options, ...field }) => ({
    key: name,
    ...field,
    ...(kind !== 'text' && kind !== 'select' && { type: kind }),
    ...(options && { options: { ...options } }),
  })),
  actions: [{ label: content.submit, style: 'primary', action: { type: 'payload', payload: {} } }],
})
