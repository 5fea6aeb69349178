import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import {
  codeToTokensBase,
  createShikiPrimitiveAsync,
  getLastGrammarState,
  type LanguageInput,
  type ShikiPrimitive,
  type ThemeRegistrationRaw,
} from '@shikijs/primitive'
import { KINDS, type Marks } from './highlight-kinds.ts'

/** Longer lines are left as they are, because a grammar can take very long for them. */
const LONGEST_LINE = 1_000

const scopes: Record<Exclude<(typeof KINDS)[number], ''>, string[]> = {
  keyword: [
    'keyword',
    'storage',
    'variable.language',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'keyword.operator.word',
    'markup.heading',
    'entity.name.section',
  ],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw', 'markup.fenced_code'],
  number: ['constant.numeric', 'constant.language', 'constant.character', 'support.constant', 'keyword.other.unit'],
  name: [
    'entity.name.function',
    'entity.name.type',
    'entity.name.class',
    'entity.name.tag',
    'entity.other.attribute-name',
    'entity.other.inherited-class',
    'support.class',
    'support.function',
    'support.type',
    'markup.underline.link',
  ],
  comment: ['comment', 'punctuation.definition.comment', 'meta.diff.header', 'meta.diff.range'],
  added: ['markup.inserted'],
  removed: ['markup.deleted'],
}

/** Kinds stand in for colours: the styles of the page decide what they look like in each theme. */
const colourOf = (kind: number): string => `#${kind.toString(16).padStart(6, '0')}`
const theme: ThemeRegistrationRaw = {
  name: 'vitrine',
  type: 'light',
  fg: colourOf(0),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: colourOf(0) } },
    ...Object.entries(scopes).map(([kind, scope]) => ({
      scope,
      settings: { foreground: colourOf(KINDS.indexOf(kind as 'keyword')) },
    })),
    {
      scope: ['keyword.operator', 'meta.template.expression', 'storage.type.function.arrow', 'punctuation.separator'],
      settings: { foreground: colourOf(0) },
    },
  ],
}

/** The files of the grammars, by the ids of `languages.ts`. */
export const loaders: Record<string, () => Promise<{ default: LanguageInput }>> = {
  bat: () => import('@shikijs/langs/bat'),
  c: () => import('@shikijs/langs/c'),
  clojure: () => import('@shikijs/langs/clojure'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  dart: () => import('@shikijs/langs/dart'),
  diff: () => import('@shikijs/langs/diff'),
  docker: () => import('@shikijs/langs/docker'),
  elixir: () => import('@shikijs/langs/elixir'),
  erlang: () => import('@shikijs/langs/erlang'),
  fsharp: () => import('@shikijs/langs/fsharp'),
  go: () => import('@shikijs/langs/go'),
  graphql: () => import('@shikijs/langs/graphql'),
  groovy: () => import('@shikijs/langs/groovy'),
  haskell: () => import('@shikijs/langs/haskell'),
  hcl: () => import('@shikijs/langs/hcl'),
  html: () => import('@shikijs/langs/html'),
  http: () => import('@shikijs/langs/http'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  jsonc: () => import('@shikijs/langs/jsonc'),
  jsx: () => import('@shikijs/langs/jsx'),
  julia: () => import('@shikijs/langs/julia'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  latex: () => import('@shikijs/langs/latex'),
  lua: () => import('@shikijs/langs/lua'),
  make: () => import('@shikijs/langs/make'),
  markdown: () => import('@shikijs/langs/markdown'),
  matlab: () => import('@shikijs/langs/matlab'),
  nginx: () => import('@shikijs/langs/nginx'),
  nix: () => import('@shikijs/langs/nix'),
  'objective-c': () => import('@shikijs/langs/objective-c'),
  perl: () => import('@shikijs/langs/perl'),
  php: () => import('@shikijs/langs/php'),
  powershell: () => import('@shikijs/langs/powershell'),
  proto: () => import('@shikijs/langs/proto'),
  python: () => import('@shikijs/langs/python'),
  r: () => import('@shikijs/langs/r'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  scala: () => import('@shikijs/langs/scala'),
  scss: () => import('@shikijs/langs/scss'),
  shellscript: () => import('@shikijs/langs/shellscript'),
  solidity: () => import('@shikijs/langs/solidity'),
  sql: () => import('@shikijs/langs/sql'),
  svelte: () => import('@shikijs/langs/svelte'),
  swift: () => import('@shikijs/langs/swift'),
  terraform: () => import('@shikijs/langs/terraform'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  vue: () => import('@shikijs/langs/vue'),
  wasm: () => import('@shikijs/langs/wasm'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
  zig: () => import('@shikijs/langs/zig'),
}

let highlighter: Promise<ShikiPrimitive> | undefined

/** Code that is highlighted line by line, as it arrives. */
export interface CodeReader {
  /** Reads whole lines on from those before. */
  read(lines: readonly string[]): Marks[]
  /** Looks at a line that is still arriving, and forgets it. */
  peek(line: string): Marks
}

/** Fetches what a language needs. */
export async function openCode(language: string): Promise<CodeReader> {
  highlighter ??= createShikiPrimitiveAsync({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const shared = await highlighter
  const load = loaders[language]
  if (!load) throw new Error(`There is no grammar of ${language}`)
  await shared.loadLanguage((await load()).default)
  let state: ReturnType<typeof getLastGrammarState> | undefined
  const tokens = (text: string) =>
    codeToTokensBase(shared, text, {
      lang: language,
      theme: 'vitrine',
      tokenizeMaxLineLength: LONGEST_LINE,
      // A line that is given up half-way has wrong colours. The page ends the thread when it takes too long.
      tokenizeTimeLimit: 0,
      ...(state && { grammarState: state }),
    })
  return {
    read(lines) {
      const read = tokens(lines.join('\n'))
      state = getLastGrammarState(shared, read)
      return read.map(marksOf)
    },
    peek: line => marksOf(tokens(line)[0] ?? []),
  }
}

/** Neighbours of one kind become one piece. */
function marksOf(line: readonly { content: string; color?: string }[]): Marks {
  const marks: number[] = []
  for (const { content, color } of line) {
    const kind = Number.parseInt(color?.slice(1, 7) ?? '0', 16)
    if (marks.at(-1) === kind && marks.length > 0) marks[marks.length - 2]! += content.length
    else marks.push(content.length, kind)
  }
  return marks
}
