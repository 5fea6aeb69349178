/** The colours and the type of a diagram, as the page has them now. Colours are `#rrggbb`. */
export interface DiagramTheme {
  readonly dark: boolean
  readonly colours: Readonly<Record<DiagramColour, string>>
}

/** What a diagram is coloured with, by the names of our tokens. */
export const DIAGRAM_COLOURS = [
  'surface',
  'plate',
  'sunken',
  'text',
  'text-2',
  'text-3',
  'border-control',
  'accent',
  'accent-soft',
  'danger',
  'data-1',
  'data-2',
  'data-3',
  'data-4',
  'data-5',
  'data-6',
] as const
/** The name of one of these colours. */
export type DiagramColour = (typeof DIAGRAM_COLOURS)[number]

/** What the page asks of the sandbox: to draw this. */
export interface DiagramOrder {
  readonly type: 'draw'
  /** Tells the answers to one order from those to another. */
  readonly order: number
  readonly source: string
  readonly theme: DiagramTheme
}

/** What the sandbox answers. */
export type DiagramReport =
  | {
      readonly type: 'drawn'
      readonly order: number
      /** The kind of diagram, such as `flowchart`. */
      readonly kind: string
      /** Title and description, when the author wrote some, and the words in the drawing. */
      readonly title: string
      readonly description: string
      readonly labels: readonly string[]
    }
  | { readonly type: 'failed'; readonly order: number; readonly message: string }

/** A source that is longer is not drawn. */
export const LONGEST_DIAGRAM = 20_000
const LONGEST_TEXT = 2_000
const MOST_LABELS = 60

/** What went wrong, in a line. The lines after it repeat the source, which is shown anyway. */
const firstLine = (message: string): string => message.trim().split('\n')[0]!.trim().replace(/[:.]$/, '').slice(0, 200)

/** A message of the sandbox as a report on this order, when it is one. Its content is that of a stranger. */
export function readReport(message: unknown, order: number): DiagramReport | null {
  if (typeof message !== 'object' || message === null) return null
  const given = message as Record<string, unknown>
  if (given.order !== order) return null
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : '')
  if (given.type === 'failed') return { type: 'failed', order, message: firstLine(text(given.message)) }
  if (given.type !== 'drawn') return null
  const labels = Array.isArray(given.labels) ? given.labels.slice(0, MOST_LABELS).map(text).filter(Boolean) : []
  const { kind, title, description } = given
  return { type: 'drawn', order, kind: text(kind), title: text(title), description: text(description), labels }
}
