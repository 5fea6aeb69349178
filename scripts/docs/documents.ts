// Reads the documents of the repository: their code blocks, their inline code, their links and their headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/run.mjs'

/** A fenced code block. Its info string is `language word word name="value"`. */
export interface Block {
  /** The path of the document in the repository. */
  readonly document: string
  /** The line of the document on which the code begins. */
  readonly line: number
  readonly language: string
  readonly words: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  readonly code: string
}

/** A piece of a document outside of its code blocks, with the line on which it begins. */
export interface Found {
  readonly document: string
  readonly line: number
  readonly text: string
}

export interface Document {
  readonly path: string
  readonly blocks: readonly Block[]
  /** What stands between backticks in the running text. */
  readonly inline: readonly Found[]
  /** The targets of the links and pictures. */
  readonly links: readonly Found[]
  /** The names by which links can point to the headings. */
  readonly anchors: ReadonlySet<string>
  /** What is wrong with the document itself, as `document:line what`. */
  readonly problems: readonly string[]
}

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/

export function readDocument(path: string, text: string): Document {
  const blocks: Block[] = []
  const problems: string[] = []
  const lines = text.split('\n')
  /** The lines outside of blocks; the lines of blocks are empty here, so that line numbers stay. */
  const prose: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = FENCE.exec(lines[at]!) ?? []
    if (fence === undefined) {
      if (isIndentedCode(lines, at)) problems.push(`${path}:${at + 1} is an indented code block: use a fence`)
      prose.push(lines[at]!)
      continue
    }
    const first = at + 1
    const isEnd = (line: string) => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())
    while (++at < lines.length && !isEnd(lines[at]!));
    if (at === lines.length) problems.push(`${path}:${first} begins a code block that does not end`)
    const code = lines.slice(first, at).map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
    blocks.push({ document: path, line: first + 1, ...readInfo(info), code: `${code.join('\n')}\n` })
    while (prose.length <= at) prose.push('')
  }
  return {
    path,
    blocks,
    inline: findAll(path, prose, /`([^`]+)`/g),
    links: findAll(path, withoutInlineCode(prose), /\]\(([^)\s]+)\)/g),
    anchors: new Set(prose.filter(line => /^#+ /.test(line)).map(anchorOf)),
    problems,
  }
}

/** An indented block has no info string, so nobody could say what it is. Text below a list item is no code. */
function isIndentedCode(lines: readonly string[], at: number): boolean {
  if (!/^ {4}\S/.test(lines[at]!) || lines[at - 1]?.trim() !== '') return false
  const above = lines.slice(0, at).findLast(line => line.trim() !== '')
  return above !== undefined && !/^\s*([-*]|\d+\.) |^ /.test(above)
}

function readInfo(info: string): Pick<Block, 'language' | 'words' | 'settings'> {
  const settings: Record<string, string> = {}
  const rest = info.replace(/(\w+)="([^"]*)"/g, (_, name: string, value: string) => {
    settings[name] = value
    return ''
  })
  const [language = '', ...words] = rest.trim().split(/\s+/)
  return { language, words, settings }
}

function findAll(document: string, prose: readonly string[], pattern: RegExp): Found[] {
  const text = prose.join('\n')
  return [...text.matchAll(pattern)].map(match => ({
    document,
    line: text.slice(0, match.index).split('\n').length,
    text: match[1]!.replace(/\s*\n\s*/g, ' '),
  }))
}

const withoutInlineCode = (prose: readonly string[]): string[] =>
  prose
    .join('\n')
    .replace(/`[^`]+`/g, code => code.replace(/[^\n]/g, ' '))
    .split('\n')

/** As GitHub makes it: lower case, spaces become hyphens, other signs are dropped. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Every document of the repository that people read. */
export function readDocuments(): Document[] {
  const rooms = ['packages', 'apps'].flatMap(parent =>
    readdirSync(join(root, parent)).map(name => `${parent}/${name}/README.md`),
  )
  const pages = readdirSync(join(root, 'docs'), { recursive: true }).map(name => `docs/${name}`)
  return ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...rooms, ...pages]
    .filter(path => path.endsWith('.md') && existsSync(join(root, path)))
    .sort()
    .map(path => readDocument(path, readFileSync(join(root, path), 'utf8')))
}
