/** What is shown, written once. Each format expresses all of it; none gets a shorter content than another. */
export interface Card {
  readonly title: string
  readonly text: string
  readonly status: 'success' | 'error'
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly open: { readonly label: string; readonly path: string }
  readonly run: { readonly label: string; readonly tool: string; readonly params: Readonly<Record<string, string>> }
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'email' | 'select' | 'multiline'
  readonly placeholder: string
  readonly required: boolean
  readonly minLength?: number
  readonly options?: Readonly<Record<string, string>>
}

export interface Form {
  readonly name: string
  readonly title: string
  readonly fields: readonly Field[]
  readonly submit: string
}

export const card: Card = {
  title: 'Meeting created',
  text: 'The calendar entry is saved and everyone was invited.',
  status: 'success',
  facts: [
    ['Subject', 'Q1 planning'],
    ['Time', '2026-03-15 14:00'],
    ['Place', 'Room 4.12'],
  ],
  open: { label: 'View details', path: '/calendar/evt_123' },
  run: { label: 'Delete', tool: 'calendar.delete', params: { eventId: 'evt_123' } },
}

export const table: Table = {
  title: 'Open orders',
  columns: ['Order', 'Customer', 'Country', 'Items', 'Total'],
  rows: [
    ['A-1041', 'Nordic Supply', 'Norway', 12, 1840.5],
    ['A-1042', 'Blue River', 'Canada', 3, 219],
    ['A-1043', 'Hanmi Trading', 'Korea', 48, 7310.25],
    ['A-1044', 'Casa Verde', 'Spain', 7, 642],
    ['A-1045', 'Lakeside Inc', 'Canada', 1, 89.9],
  ],
}

export const form: Form = {
  name: 'contact',
  title: 'Contact us',
  fields: [
    { name: 'name', label: 'Name', kind: 'text', placeholder: 'Your full name', required: true, minLength: 2 },
    { name: 'email', label: 'Email', kind: 'email', placeholder: 'you@example.com', required: true },
    {
      name: 'subject',
      label: 'Subject',
      kind: 'select',
      placeholder: 'Select a subject',
      required: true,
      options: { general: 'General inquiry', support: 'Support', sales: 'Sales', billing: 'Billing' },
    },
    {
      name: 'message',
      label: 'Message',
      kind: 'multiline',
      placeholder: 'How can we help?',
      required: true,
      minLength: 10,
    },
  ],
  submit: 'Send message',
}
