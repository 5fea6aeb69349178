import { isObject, type Json, type JsonObject } from '@vitrine/protocol'

/** Which items of a list can be shown, and that form in words for the agent. */
export interface ItemRule {
  form: string
  fits(item: Json): boolean
  /** What tells the items apart, in those that are records. */
  member?: string
}

/** What the engine must know about a component to read and run it. Schemas stay with the catalog. */
export interface ComponentTraits {
  /** Properties that name other components: `child`, `children`, or `tabs.child` inside a list of records. */
  refs?: readonly string[]
  /** The property that a person edits. */
  input?: string
  /** What a person types is hidden, and does not reach the log (L10): always, or with one of these values of the property. */
  hides?: true | { property: string; values: readonly Json[] }
  /** People press it: while its checks fail it is disabled, and in a Modal it opens the dialog by itself. */
  pressed?: true
  /** What it says is Markdown when it is given in the public form. */
  markdown?: true
  /** Properties that hold URLs, by the policy that applies. */
  urls?: Readonly<Record<string, 'image' | 'video' | 'audio' | 'link'>>
  /** Properties whose list elements are plain records and never function calls. */
  records?: readonly string[]
  /** Properties with lists of which not every item can be shown. */
  items?: Readonly<Record<string, ItemRule>>
  /** Other names of properties. */
  aliases?: Readonly<Record<string, string>>
  /** This type is another one with these properties (a Heading is a Text). */
  as?: { type: string; props: (props: JsonObject) => JsonObject }
}

/** Heading levels as text variants; a bound level stays bound. */
const headingVariant = (level: Json | undefined): Json =>
  level === undefined ? 'h2' : typeof level === 'number' ? `h${level}` : { concat: ['h', level] }

/** A scalar, or a record that has this member. */
const scalarOr = (member: string): ItemRule => ({
  form: `a text or an object with '${member}'`,
  member,
  fits: item => (isObject(item) ? item[member] != null : item !== null && !Array.isArray(item)),
})
const choices = { input: 'value', records: ['options'], items: { options: scalarOr('value') } }

const src = { src: 'url' }
const textAliases = { value: 'text' }

export type Ref = { key: string; inner: string | undefined }
const parsedRefs = new WeakMap<readonly string[], readonly Ref[]>()

/** References of a type: the property, and the field inside its records when it is a list of records. */
export function refsOf(traits: ComponentTraits): readonly Ref[] {
  const refs = traits.refs ?? COMMON_REFS
  let parsed = parsedRefs.get(refs)
  if (!parsed) {
    parsed = refs.map(ref => {
      const [key, inner] = ref.split('.') as [string, string?]
      return { key, inner }
    })
    parsedRefs.set(refs, parsed)
  }
  return parsed
}

/** Names that mean references in every catalog. */
export const COMMON_REFS: readonly string[] = ['child', 'children', 'tabs.child']

export const basicTraits: Readonly<Record<string, ComponentTraits>> = {
  Text: { aliases: textAliases, markdown: true },
  Heading: {
    aliases: textAliases,
    as: { type: 'Text', props: ({ level, ...rest }) => ({ ...rest, variant: headingVariant(level) }) },
  },
  Paragraph: { aliases: textAliases, as: { type: 'Text', props: props => ({ ...props, variant: 'body' }) } },
  Button: { aliases: { label: 'text' }, pressed: true },
  Badge: { aliases: { label: 'text' } },
  Image: { urls: { url: 'image' }, aliases: { ...src, alt: 'description' } },
  Video: { urls: { url: 'video' }, aliases: src },
  AudioPlayer: { urls: { url: 'audio' }, aliases: src },
  Link: { urls: { href: 'link' }, aliases: { url: 'href', label: 'text' } },
  TextField: { input: 'value', hides: { property: 'variant', values: ['obscured'] } },
  TextArea: { input: 'value', as: { type: 'TextField', props: props => ({ ...props, variant: 'longText' }) } },
  Checkbox: { input: 'value' },
  CheckBox: { input: 'value', as: { type: 'Checkbox', props: props => props } },
  Select: choices,
  ChoicePicker: choices,
  Slider: { input: 'value' },
  DateTimeInput: { input: 'value' },
  Modal: { refs: ['trigger', 'content', 'child', 'children'] },
  Tabs: { records: ['tabs'] },
  Table: {
    records: ['columns', 'rows'],
    items: {
      columns: scalarOr('key'),
      rows: { form: 'an object with the keys of the columns', fits: item => isObject(item) },
    },
  },
}
