import fc from 'fast-check'

/** Content that can be told apart from everything the compiler writes itself. */
const words = fc.string({ minLength: 1, maxLength: 12 }).map(text => `«${text}»`)
const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 })
const status = fc.constantFrom('info', 'success', 'warning', 'error', 'pending')
const format = fc.constantFrom('plain', 'markdown')
const free = fc.dictionary(
  fc.string({ maxLength: 6 }).filter(key => key !== '__proto__'),
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)),
  { maxKeys: 3 },
)
const icon = fc.record(
  {
    source: fc.constantFrom('icon', 'emoji', 'url'),
    value: words,
    color: fc.constant('#123'),
    size: fc.integer({ min: 1, max: 99 }),
  },
  { requiredKeys: ['source', 'value'] },
)
const target = fc.oneof(
  fc.record(
    { type: fc.constant('navigation'), path: fc.constantFrom('/todo/1', '/todo/:id', 'x?y'), params: free },
    { requiredKeys: ['type', 'path'] },
  ),
  fc.record({ type: fc.constant('url'), url: fc.constantFrom('https://x.example/a', 'javascript:alert(1)') }),
  fc.record({ type: fc.constant('event'), event: words, payload: free }, { requiredKeys: ['type', 'event'] }),
  fc.record({ type: fc.constant('tool'), toolId: words, params: free }, { requiredKeys: ['type', 'toolId'] }),
  fc.record(
    { type: fc.constant('copy'), content: words, successMessage: words },
    { requiredKeys: ['type', 'content'] },
  ),
  fc.record(
    { type: fc.constant('payload'), payload: free, submitTo: fc.constant('/a') },
    { requiredKeys: ['type', 'payload'] },
  ),
)
const action = fc.record(
  {
    label: words,
    style: fc.constantFrom('primary', 'secondary', 'ghost', 'danger'),
    disabled: fc.boolean(),
    action: target,
    confirm: fc.oneof(words, fc.boolean(), fc.record({ message: words, title: words })),
    icon,
  },
  { requiredKeys: ['label', 'action'] },
)
const item = fc.record(
  { key: words, label: words, value: fc.oneof(words, fc.integer(), free), copyable: fc.boolean() },
  { requiredKeys: ['key'] },
)
const listItem = fc.record(
  { id: words, title: words, subtitle: words, description: words, icon, status, actions: some(action) },
  { requiredKeys: ['title'] },
)
const field = fc.record(
  {
    key: words,
    label: words,
    type: fc.constantFrom('text', 'multiline', 'number', 'select', 'checkbox'),
    value: fc.oneof(words, fc.integer()),
    placeholder: words,
    help: words,
    options: fc.oneof(fc.array(words, { minLength: 1, maxLength: 3 }), free),
    required: fc.boolean(),
    min: fc.integer(),
    minLength: fc.nat(20),
    pattern: fc.constantFrom('[a-z]+', '(a+)+'),
  },
  { requiredKeys: ['key'] },
)
const table = fc.record(
  {
    columns: some(
      fc.oneof(words, fc.record({ label: words, key: words, align: fc.constant('end') }, { requiredKeys: ['label'] })),
    ),
    rows: some(fc.oneof(some(words), free)),
    caption: words,
  },
  { requiredKeys: ['columns', 'rows'] },
)
const chart = fc.record(
  {
    kind: fc.constantFrom('line', 'bar', 'area', 'pie'),
    labels: some(words),
    series: some(fc.record({ name: words, data: some(fc.integer()) })),
    title: words,
    unit: words,
  },
  { requiredKeys: ['series'] },
)
const blocks = {
  items: some(item),
  listItems: some(listItem),
  actions: some(action),
  fields: some(field),
  table,
  chart,
  progress: fc.oneof(fc.nat(100), fc.record({ value: fc.nat(9), max: fc.constant(9), label: words })),
  image: fc.oneof(
    fc.constantFrom('https://x.example/a.png', 'javascript:x'),
    fc.record({ url: fc.constant('https://x.example/b.png'), alt: words }),
  ),
}

const section: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  section: fc.record(
    {
      title: words,
      description: words,
      icon,
      content: words,
      contentFormat: format,
      status,
      ...blocks,
      sections: fc.array(tie('section'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ),
})).section

/** Any document that an agent could write, with a few things that it should not. */
export const hints: fc.Arbitrary<Record<string, unknown>> = fc
  .record(
    {
      version: fc.constant('2.1'),
      intent: fc.constantFrom('message', 'data', 'list', 'status', 'form', 'mixed'),
      status,
      title: words,
      description: words,
      body: words,
      bodyFormat: format,
      icon,
      ...blocks,
      sections: fc.array(section, { maxLength: 2 }),
      meta: free,
      surprise: fc.oneof(words, free),
    },
    { requiredKeys: [] },
  )
  .map(value => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

/** Every text of a value, keys of free objects included. */
export function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('«') ? [value] : []
  if (Array.isArray(value)) return value.flatMap(texts)
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => [...texts(key), ...texts(part)])
    : []
}
