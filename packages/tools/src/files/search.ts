import { RE2JS } from 're2js'
import { contentOf, linesOf } from '../content.ts'
import { ToolFailed } from '../failure.ts'
import { beginning } from '../fit.ts'
import type { Folder } from './folder.ts'
import { mayHoldSecrets } from './secret-files.ts'

/** What is looked for. One of `text`, `pattern` and `names` is given. */
export interface SearchRequest {
  readonly root: string
  readonly except: readonly string[]
  readonly path: string
  readonly text?: string
  readonly pattern?: string
  readonly names?: string
  readonly ignoreCase?: boolean
}

/** What was found, and what was not looked into. */
export interface SearchResult {
  readonly matches: readonly { path: string; line?: number; text?: string }[]
  readonly files: number
  /** Why the list may not be complete, in words. */
  readonly notes: readonly string[]
}

/** Folders that hold what programs make. They are searched when they are named. */
const LEFT_OUT = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv'])
const MOST_MATCHES = 100
const MOST_FILES = 20_000
const MOST_ENTRIES = 5_000
const MOST_FILE_BYTES = 2 * 1024 * 1024
const MOST_BYTES = 200 * 1024 * 1024
const MOST_LINE = 10_000
const SHOWN = 240

/** Searches names and texts. Patterns are those of RE2, which take time in proportion to the text whatever they are. */
export async function search(folder: Folder, request: SearchRequest): Promise<SearchResult> {
  const { path, ignoreCase = false } = request
  const isWanted = request.names === undefined ? () => true : nameTest(request.names)
  const hasText = textTest(request, ignoreCase)
  const matches: { path: string; line?: number; text?: string }[] = []
  const notes = new Set<string>()
  const first = (await folder.find(path)).path
  const folders = [first]
  let [files, bytes, secrets, large] = [0, 0, 0, 0]
  const isFull = (): boolean => {
    if (matches.length >= MOST_MATCHES) notes.add(`There are more: these are the first ${MOST_MATCHES}.`)
    else if (files >= MOST_FILES || bytes >= MOST_BYTES)
      notes.add(`Only the first ${files} files were searched. Name a path to search the rest.`)
    else return false
    return true
  }

  while (folders.length > 0 && !isFull()) {
    const at = folders.pop()!
    const listed = await folder.list(at, MOST_ENTRIES).catch(error => {
      if (error instanceof ToolFailed && at !== first) return undefined
      throw error
    })
    if (!listed) {
      notes.add('Some folders could not be opened.')
      continue
    }
    if (listed.more) notes.add(`A folder has more than ${MOST_ENTRIES} entries, and only those were searched.`)
    for (const { name, kind, size } of listed.entries) {
      if (isFull()) break
      const inside = at === '' ? name : `${at}/${name}`
      if (kind === 'folder' && !LEFT_OUT.has(name)) folders.push(inside)
      if (kind !== 'file' || !isWanted(inside)) continue
      files++
      if (!hasText) {
        matches.push({ path: inside })
      } else if (mayHoldSecrets(inside)) secrets++
      else if (size > MOST_FILE_BYTES) large++
      else {
        bytes += size
        const read = await folder.read(inside, MOST_FILE_BYTES).catch(() => undefined)
        const content = read && contentOf(read.bytes)
        if (content?.kind !== 'text') continue
        for (const [index, line] of linesOf(content.text).entries()) {
          if (isFull()) break
          if (hasText(line.slice(0, MOST_LINE)))
            matches.push({ path: inside, line: index + 1, text: beginning(line.trim(), SHOWN) })
        }
      }
    }
  }
  if (secrets > 0) notes.add(`${secrets} files that may hold keys or passwords were not searched.`)
  if (large > 0) notes.add(`${large} files that are larger than 2 MB were not searched.`)
  return { matches, files, notes: [...notes] }
}

function textTest({ text, pattern }: SearchRequest, ignoreCase: boolean): ((line: string) => boolean) | undefined {
  if (pattern !== undefined) {
    const compiled = compile(pattern, ignoreCase)
    return line => compiled.matcher(line).find()
  }
  if (text === undefined) return undefined
  if (!ignoreCase) return line => line.includes(text)
  const lower = text.toLowerCase()
  return line => line.toLowerCase().includes(lower)
}

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    throw new ToolFailed(
      `The pattern cannot be used: ${error instanceof Error ? error.message : String(error)}. Patterns are those of RE2, without look-around and back references.`,
    )
  }
}

/** Names with `*`, `**` and `?`, as people write them. A name without `/` is looked for in every folder. */
function nameTest(names: string): (path: string) => boolean {
  const source = names.replace(/^\.?\//, '').replace(/\*\*\/?|\*|\?|[^*?]+/g, piece => {
    if (piece === '**/') return '(?:.*/)?'
    if (piece === '**') return '.*'
    if (piece === '*') return '[^/]*'
    return piece === '?' ? '[^/]' : RE2JS.quote(piece)
  })
  const compiled = compile(names.includes('/') ? source : `(?:.*/)?${source}`, true)
  return path => compiled.matches(path)
}
