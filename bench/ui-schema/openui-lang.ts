import type { Card, Field, Form, Table } from './contents.ts'

/**
 * OpenUI Lang 0.5 with the components of @openuidev/react-ui 0.12, written as its own prompt teaches: one statement a
 * line, a reference for each part, columns for tables, one FormControl a field. `compact` inlines what it can and drops
 * every optional space, which its prompt advises against (nothing streams until the line ends).
 */
const text = (value: unknown): string => JSON.stringify(value)

export function card(content: Card): string {
  const { open, run } = content
  const facts = content.facts.map(
    ([label, value], index) => `fact${index + 1} = TextContent(${text(`${label}: ${value}`)})`,
  )
  const params = Object.entries(run.params).map(([key, value]) => `${key}: ${text(value)}`)
  return [
    `root = Stack([card])`,
    `card = Card([header, status, ${facts.map((_, index) => `fact${index + 1}`).join(', ')}, buttons])`,
    `header = CardHeader(${text(content.title)}, ${text(content.text)})`,
    `status = Tag(${text(capital(content.status))}, null, "sm", ${text(content.status === 'error' ? 'danger' : content.status)})`,
    ...facts,
    `buttons = Buttons([open, remove])`,
    `open = Button(${text(open.label)}, Action([@OpenUrl(${text(open.path)})]), "primary")`,
    `remove = Button(${text(run.label)}, Action([@Run(call)]), "secondary", "destructive")`,
    `call = Mutation(${text(run.tool)}, {${params.join(', ')}})`,
  ].join('\n')
}

export function table(content: Table): string {
  const names = content.columns.map(label => label.toLowerCase().replace(/\W+/g, ''))
  const column = (index: number): (string | number)[] => content.rows.map(row => row[index]!)
  const numeric = (index: number): boolean => column(index).every(cell => typeof cell === 'number')
  const columns = content.columns.map(
    (label, index) => `Col(${text(label)}, ${names[index]}${numeric(index) ? ', "number"' : ''})`,
  )
  return [
    `root = Stack([title, tbl])`,
    `title = TextContent(${text(content.title)}, "large-heavy")`,
    `tbl = Table([${columns.join(', ')}])`,
    ...names.map((name, index) => `${name} = [${column(index).map(text).join(', ')}]`),
  ].join('\n')
}

export function form(content: Form): string {
  const options = content.fields.filter(field => field.options)
  return [
    `root = Stack([title, form])`,
    `title = TextContent(${text(content.title)}, "large-heavy")`,
    `form = Form(${text(content.name)}, btns, [${content.fields.map(({ name }) => `${name}Field`).join(', ')}])`,
    ...content.fields.map(field => `${field.name}Field = FormControl(${text(field.label)}, ${input(field)})`),
    ...options.map(field => `${field.name}Opts = [${items(field).join(', ')}]`),
    `btns = Buttons([Button(${text(content.submit)}, Action([@ToAssistant(${text(content.submit)})]), "primary")])`,
  ].join('\n')
}

function input(field: Field): string {
  const rules = [
    ...(field.required ? ['required: true'] : []),
    ...(field.kind === 'email' ? ['email: true'] : []),
    ...(field.minLength === undefined ? [] : [`minLength: ${field.minLength}`]),
  ]
  const given = `{${rules.join(', ')}}`
  const start = `${text(field.name)}, ${text(field.placeholder)}`
  if (field.kind === 'select')
    return `Select(${text(field.name)}, ${field.name}Opts, ${text(field.placeholder)}, ${given})`
  return field.kind === 'multiline'
    ? `TextArea(${start}, 4, ${given})`
    : `Input(${start}, ${text(field.kind)}, ${given})`
}

const items = (field: Field): string[] =>
  Object.entries(field.options ?? {}).map(([value, label]) => `SelectItem(${text(value)}, ${text(label)})`)

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The same program on as few characters as the grammar allows: every reference inlined, no optional space. */
export function compact(program: string): string {
  const statements = new Map(program.split('\n').map(line => line.split(/ = (.*)/s, 2) as [string, string]))
  const queries = [...statements].filter(([, body]) => body.startsWith('Mutation('))
  // Spaces go first: what is inlined brings strings of its own, which stay as they are.
  const inline = (body: string): string =>
    outsideStrings(body, code =>
      code.replace(/([,:{[]) +/g, '$1').replace(/(?<![@\w])[a-z]\w*(?![\w(:])/g, name => {
        const target = statements.get(name)
        return target === undefined || target.startsWith('Mutation(') ? name : inline(target)
      }),
    )
  return [`root=${inline(statements.get('root')!)}`, ...queries.map(([name, body]) => `${name}=${inline(body)}`)].join(
    '\n',
  )
}

/** Applies a change to the code between string literals. */
const outsideStrings = (code: string, change: (part: string) => string): string =>
  code
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
