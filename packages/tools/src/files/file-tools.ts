import { extname } from 'node:path'
import type { FileChange, JsonObject } from '@vitrine/protocol'
import type { SourceTool, ToolCall, ToolCallPreview, ToolOutput, ToolSource } from '@vitrine/server'
import { contentOf, linesOf } from '../content.ts'
import { ToolFailed } from '../failure.ts'
import { beginning, FITS, sizeInWords } from '../fit.ts'
import { sourceOf } from '../source.ts'
import { runThread } from '../thread.ts'
import { digestOf, type FileVersion, Folder } from './folder.ts'
import { type KeptChange, KeptChanges } from './kept-changes.ts'
import type { SearchRequest, SearchResult } from './search.ts'
import { mayHoldSecrets } from './secret-files.ts'

/** What file tools are made of. */
export interface FileToolsOptions {
  /** The folder whose files can be used. Nothing outside of it is read or written, also not through links. */
  folder: string
  /** Folders inside of it that nobody may use through these tools, such as the data folder of the server. */
  except?: readonly string[]
  /** Where what was there before a change is kept, so that it can be undone after a restart. In memory when nothing is given. */
  undoFolder?: string
  /** `files` when nothing is given. A server with two folders needs two ids. */
  sourceId?: string
  /** What people call the folder; `Files` when nothing is given. */
  name?: string
  /** The largest file that is read or edited, in bytes; 10 MB when nothing is given. */
  maxFileBytes?: number
}

const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_IMAGE_BYTES = 5 * 1024 * 1024
const MAX_WRITTEN = 500_000
const MAX_EDITS = 50
const LISTED = 500
const SHOWN_LINE = 2_000
/** Room for the words around the text of a file. */
const HEAD = 400
const SEARCH_MS = 15_000
/** Files whose versions are remembered. */
const REMEMBERED = 10_000

const searchThread = new URL(`./search-thread${extname(import.meta.url)}`, import.meta.url)

/** What a call would make of a file. */
interface Plan {
  /** The file as it is; undefined for a new one. */
  readonly now: FileVersion | undefined
  readonly path: string
  /** Null when the file is removed. */
  readonly after: Uint8Array | null
  readonly change?: KeptChange
}

/** Tools for the files in a folder: list, search, read, write, edit and undo. */
export function createFileTools(options: FileToolsOptions): ToolSource {
  const { sourceId = 'files', name = 'Files' } = options
  return sourceOf(sourceId, name, new FileTools(options).tools(sourceId))
}

const pathProperty = (description: string): JsonObject => ({
  type: 'string',
  minLength: 1,
  maxLength: 1_000,
  description,
})

class FileTools {
  readonly #folder: Folder
  readonly #root: string
  readonly #except: readonly string[]
  readonly #kept: KeptChanges
  readonly #mostBytes: number
  /** The versions of files that each session has read or written, and that people were shown in requests. */
  readonly #read = new Map<string, string>()
  readonly #shown = new Map<string, string | null>()
  /** Changes of one file happen one after another. */
  readonly #busy = new Map<string, Promise<unknown>>()

  constructor({ folder, except = [], undoFolder, maxFileBytes = MAX_FILE_BYTES }: FileToolsOptions) {
    this.#folder = new Folder(folder, except)
    this.#root = folder
    this.#except = except
    this.#kept = new KeptChanges(undoFolder)
    this.#mostBytes = maxFileBytes
  }

  tools(sourceId: string): SourceTool[] {
    const writing = { effects: 'writes', repeatable: false, timeoutMs: 60_000 } as const
    const reading = { effects: 'reads', repeatable: true, timeoutMs: 30_000 } as const
    return [
      {
        toolId: `${sourceId}:list`,
        name: 'files_list',
        title: 'List files',
        description: 'Lists the files and folders in a folder of the working folder, with their sizes.',
        inputSchema: {
          type: 'object',
          properties: {
            path: {
              type: 'string',
              maxLength: 1_000,
              description: 'The folder, such as docs. The working folder when absent.',
            },
          },
          additionalProperties: false,
        },
        ...reading,
        execute: ({ path = '' }) => this.#list(path as string),
      },
      {
        toolId: `${sourceId}:search`,
        name: 'files_search',
        title: 'Search files',
        description:
          'Searches the working folder. Give text (found as it is) or pattern (a regular expression of RE2) to search the lines of text files, and names such as *.ts or docs/**/*.md to choose files. With names alone it lists the files.',
        inputSchema: {
          type: 'object',
          properties: {
            text: { type: 'string', minLength: 1, maxLength: 500, description: 'Words that a line has to contain.' },
            pattern: { type: 'string', minLength: 1, maxLength: 500, description: 'A regular expression for a line.' },
            names: { type: 'string', minLength: 1, maxLength: 200, description: 'Which files, with *, ** and ?.' },
            path: { type: 'string', maxLength: 1_000, description: 'The folder to search in.' },
            ignoreCase: { type: 'boolean' },
          },
          anyOf: [{ required: ['text'] }, { required: ['pattern'] }, { required: ['names'] }],
          additionalProperties: false,
        },
        ...reading,
        execute: (args, call) => this.#search(args, call),
      },
      {
        toolId: `${sourceId}:read`,
        name: 'files_read',
        title: 'Read a file',
        description:
          'Reads a text file or an image of the working folder. A long file is read in pieces: the answer says from which line to go on.',
        inputSchema: {
          type: 'object',
          properties: {
            path: pathProperty('The file, such as src/main.ts.'),
            from: { type: 'integer', minimum: 1, description: 'The first line, counted from 1.' },
            to: { type: 'integer', minimum: 1, description: 'The last line.' },
          },
          required: ['path'],
          additionalProperties: false,
        },
        ...reading,
        execute: (args, call) => this.#readFile(args as unknown as ReadArgs, call),
      },
      {
        toolId: `${sourceId}:write`,
        name: 'files_write',
        title: 'Write a file',
        description:
          'Writes a whole text file in the working folder: a new one, or in place of one that was read in this session. Use files_edit to change a part of a file.',
        inputSchema: {
          type: 'object',
          properties: {
            path: pathProperty('The file, such as notes/plan.md. Missing folders are made.'),
            text: { type: 'string', maxLength: MAX_WRITTEN, description: 'All of the new text.' },
          },
          required: ['path', 'text'],
          additionalProperties: false,
        },
        ...writing,
        describe: (args, call) => this.#describe(this.#planWrite(args as unknown as WriteArgs, call), call),
        execute: (args, call) =>
          this.#change((args as unknown as WriteArgs).path, call, () =>
            this.#planWrite(args as unknown as WriteArgs, call),
          ),
      },
      {
        toolId: `${sourceId}:edit`,
        name: 'files_edit',
        title: 'Edit a file',
        description:
          'Replaces pieces of a text file of the working folder. Each old text has to stand in the file exactly as given and exactly once: give enough lines around it. Edits are made one after another, and either all of them are made or none.',
        inputSchema: {
          type: 'object',
          properties: {
            path: pathProperty('The file, such as src/main.ts.'),
            edits: {
              type: 'array',
              minItems: 1,
              maxItems: MAX_EDITS,
              items: {
                type: 'object',
                properties: {
                  old: { type: 'string', minLength: 1, maxLength: MAX_WRITTEN, description: 'The text to replace.' },
                  new: { type: 'string', maxLength: MAX_WRITTEN, description: 'The text in its place.' },
                },
                required: ['old', 'new'],
                additionalProperties: false,
              },
            },
          },
          required: ['path', 'edits'],
          additionalProperties: false,
        },
        ...writing,
        describe: (args, call) => this.#describe(this.#planEdit(args as unknown as EditArgs, call), call),
        execute: (args, call) =>
          this.#change((args as unknown as EditArgs).path, call, () =>
            this.#planEdit(args as unknown as EditArgs, call),
          ),
      },
      {
        toolId: `${sourceId}:undo`,
        name: 'files_undo',
        title: 'Undo a change of a file',
        description:
          'Takes back the newest change that files_write or files_edit made in this session, of one file or of any. Called again, it takes back the change before.',
        inputSchema: {
          type: 'object',
          properties: { path: pathProperty('The file; the one that was changed last when absent.') },
          additionalProperties: false,
        },
        ...writing,
        describe: ({ path }, call) => this.#describe(this.#planUndo(path as string | undefined, call), call),
        execute: async ({ path }, call) => {
          const { path: found } = await this.#planUndo(path as string | undefined, call)
          return this.#change(found, call, () => this.#planUndo(found, call))
        },
      },
    ]
  }

  async #list(given: string): Promise<ToolOutput> {
    const { path, entries, more } = await this.#folder.list(given, LISTED)
    const words = { file: 'file', folder: 'folder', link: 'link', other: 'special' }
    const lines = entries.map(({ name, kind, size }) =>
      kind === 'file' ? `${name} (${sizeInWords(size)})` : `${name}${kind === 'folder' ? '/' : ` (${words[kind]})`}`,
    )
    const head = entries.length === 0 ? 'The folder is empty.' : `${path || 'The folder'} has:`
    const { shown, left } = fitting(lines)
    const rest =
      more || left > 0 ? `\n… and more: ${more ? `only the first ${LISTED} were looked at` : `${left} entries`}.` : ''
    const rows = entries
      .slice(0, 100)
      .map(({ name, kind, size, changedAt }) => [
        kind === 'folder' ? `${name}/` : name,
        kind === 'file' ? sizeInWords(size) : words[kind],
        new Date(changedAt).toISOString().slice(0, 16).replace('T', ' '),
      ])
    return {
      text: `${head}\n${shown.join('\n')}${rest}`,
      ...(rows.length > 0 && {
        uiHints: { intent: 'data', title: path || 'Files', table: { columns: ['Name', 'Size', 'Changed'], rows } },
      }),
    }
  }

  async #search(args: JsonObject, call: ToolCall): Promise<ToolOutput> {
    const request = { path: '', ...args, root: this.#root, except: this.#except } as unknown as SearchRequest
    const late = `The search took longer than ${SEARCH_MS / 1_000} s. Name a path or other words.`
    const { matches, files, notes } = await runThread<SearchResult>(searchThread, request, {
      ms: SEARCH_MS,
      memoryMb: 256,
      signal: call.signal,
      late,
    })
    const lines = matches.map(({ path, line, text }) => (line === undefined ? path : `${path}:${line}: ${text}`))
    const { shown, left } = fitting(lines)
    const found = matches.length === 0 ? `Nothing was found in ${files} files.` : shown.join('\n')
    const cut = left > 0 ? [`${left} more matches have no room here.`] : []
    return { text: [found, ...cut, ...notes].join('\n') }
  }

  async #readFile(
    { path: given, from = 1, to = Number.MAX_SAFE_INTEGER }: ReadArgs,
    call: ToolCall,
  ): Promise<ToolOutput> {
    if (to < from) throw new ToolFailed('The last line stands before the first.')
    const { path } = await this.#folder.find(given)
    if (mayHoldSecrets(path)) await askForSecrets(path, call)
    const file = await this.#folder.read(given, this.#mostBytes)
    const content = contentOf(file.bytes)
    if (content.kind === 'image') {
      if (file.bytes.length > MAX_IMAGE_BYTES)
        throw new ToolFailed(
          `${path} is an image of ${sizeInWords(file.bytes.length)}, which is too large to be shown.`,
        )
      const bytes = new Uint8Array(file.bytes)
      return {
        text: `${path} is an image (${content.mediaType}).`,
        content: [{ kind: 'image', bytes, mediaType: content.mediaType }],
      }
    }
    if (content.kind === 'binary')
      throw new ToolFailed(`${path} is ${content.what} of ${sizeInWords(file.bytes.length)}, and no text.`)
    this.#remember(call.sessionId, file)
    return { text: pieceOf(path, content.text, content.note, from, to) }
  }

  async #planWrite({ path: given, text }: WriteArgs, call: ToolCall): Promise<Plan> {
    const { path, exists } = await this.#folder.findOrPlan(given)
    const after = Buffer.from(text.toWellFormed())
    if (!exists) return { now: undefined, path, after }
    const now = await this.#folder.read(given, this.#mostBytes)
    const content = contentOf(now.bytes)
    if (content.kind !== 'text') throw new ToolFailed(`${path} is no text file, and is not replaced by text.`)
    const known = this.#read.get(keyOf(call.sessionId, now.real))
    if (known === undefined)
      throw new ToolFailed(`${path} exists. Read it first, so that nothing in it is lost by mistake.`)
    this.#refuseStale(now, call)
    return { now, path, after }
  }

  async #planEdit({ path: given, edits }: EditArgs, call: ToolCall): Promise<Plan> {
    const now = await this.#folder.read(given, this.#mostBytes)
    const content = contentOf(now.bytes)
    if (content.kind !== 'text') throw new ToolFailed(`${now.path} is no text file, and cannot be edited.`)
    if (!content.editable) throw new ToolFailed(`${now.path} cannot be edited. ${content.note}`)
    this.#refuseStale(now, call)
    let text = content.text
    for (const [index, edit] of edits.entries()) text = replaced(text, edit, index, now.path)
    if (text === content.text) throw new ToolFailed(`The edits leave ${now.path} as it is.`)
    return { now, path: now.path, after: Buffer.from(text) }
  }

  async #planUndo(given: string | undefined, call: ToolCall): Promise<Plan> {
    const wanted = given === undefined ? undefined : (await this.#folder.findOrPlan(given)).path
    const change = await this.#kept.newest(call.sessionId, wanted)
    if (!change)
      throw new ToolFailed(`There is no change${wanted ? ` of ${wanted}` : ''} in this session that could be undone.`)
    const { path, before } = change
    const { exists } = await this.#folder.findOrPlan(path)
    const now = exists ? await this.#folder.read(path, this.#mostBytes) : undefined
    if (now?.digest !== change.after) {
      throw new ToolFailed(
        `${path} was changed by somebody else after that change, so it is not undone: their work would be lost.`,
      )
    }
    return { now, path, after: before === null ? null : Buffer.from(before, 'base64'), change }
  }

  /** A file that is not what this session has read of it is not changed. */
  #refuseStale(now: FileVersion, { sessionId }: ToolCall): void {
    const known = this.#read.get(keyOf(sessionId, now.real))
    if (known === undefined || known === now.digest) return
    throw new ToolFailed(`${now.path} changed since it was read. Read it again, and then decide what to write.`)
  }

  async #describe(planning: Promise<Plan>, call: ToolCall): Promise<ToolCallPreview> {
    const { now, path, after } = await planning
    this.#forgetOldest(this.#shown)
    this.#shown.set(keyOf(call.toolCallId, path), now?.digest ?? null)
    if (mayHoldSecrets(path)) {
      return { detail: `${path} may hold keys or passwords, so what would change in it is not shown.` }
    }
    const change: FileChange = {
      path,
      ...(now && { before: now.bytes.toString('utf8').toWellFormed() }),
      ...(after && { after: Buffer.from(after).toString('utf8').toWellFormed() }),
    }
    return { changes: [change] }
  }

  /** Makes a change: what was there is kept first, and nothing is written over what nobody has seen. */
  async #change(given: string, call: ToolCall, plan: () => Promise<Plan>): Promise<ToolOutput> {
    const { real } = await this.#folder.findOrPlan(given)
    const before = this.#busy.get(real) ?? Promise.resolve()
    const working = before.catch(() => {}).then(() => this.#write(call, plan))
    this.#busy.set(real, working)
    try {
      return await working
    } finally {
      if (this.#busy.get(real) === working) this.#busy.delete(real)
    }
  }

  async #write(call: ToolCall, plan: () => Promise<Plan>): Promise<ToolOutput> {
    call.signal.throwIfAborted()
    const { now, path, after, change } = await plan()
    const shown = this.#shown.get(keyOf(call.toolCallId, path))
    this.#shown.delete(keyOf(call.toolCallId, path))
    if (shown !== undefined && shown !== (now?.digest ?? null)) {
      throw new ToolFailed(
        `${path} changed after it was shown to the person who allowed this, so nothing was written. Read it again.`,
      )
    }
    if (change) return this.#undo(change, now!, after, call)
    const bytes = after ?? new Uint8Array()
    if (bytes.length > this.#mostBytes)
      throw new ToolFailed(
        `${path} would have ${sizeInWords(bytes.length)}, and ${sizeInWords(this.#mostBytes)} are the most.`,
      )
    const kept = await this.#kept.keep({
      sessionId: call.sessionId,
      path,
      before: now ? now.bytes.toString('base64') : null,
      mode: now?.mode ?? 0o666,
      after: digestOf(bytes),
    })
    try {
      const place = await this.#folder.write(path, bytes, now?.digest ?? null, now?.mode)
      this.#remember(call.sessionId, { real: place.real, digest: digestOf(bytes) })
    } catch (error) {
      await this.#kept.drop(kept)
      throw error
    }
    const lines = linesOf(Buffer.from(bytes).toString('utf8')).length
    return {
      text: `${now ? 'Changed' : 'Made'} ${path}, which has ${lines} lines now. files_undo takes it back.`,
      meta: { changeId: kept.changeId },
    }
  }

  async #undo(change: KeptChange, now: FileVersion, after: Uint8Array | null, call: ToolCall): Promise<ToolOutput> {
    if (after === null) {
      await this.#folder.remove(change.path, now.digest)
      this.#read.delete(keyOf(call.sessionId, now.real))
    } else {
      await this.#folder.write(change.path, after, now.digest, change.mode)
      this.#remember(call.sessionId, { real: now.real, digest: digestOf(after) })
    }
    await this.#kept.drop(change)
    return {
      text: after === null ? `Removed ${change.path}, which was new.` : `${change.path} is again as it was before.`,
    }
  }

  #remember(sessionId: string, { real, digest }: Pick<FileVersion, 'real' | 'digest'>): void {
    this.#forgetOldest(this.#read)
    this.#read.set(keyOf(sessionId, real), digest)
  }

  #forgetOldest(map: Map<string, unknown>): void {
    if (map.size < REMEMBERED) return
    for (const key of map.keys()) return void map.delete(key)
  }
}

interface ReadArgs {
  path: string
  from?: number
  to?: number
}
interface WriteArgs {
  path: string
  text: string
}
interface EditArgs {
  path: string
  edits: { old: string; new: string }[]
}

const keyOf = (owner: string, path: string): string => `${owner}\0${path}`

/** Reading is allowed by default. Secrets would be in the conversation and go to the model, so that a person decides. */
async function askForSecrets(path: string, call: ToolCall): Promise<void> {
  const { outcome } = await call.ask({
    kind: 'approval',
    title: `Read ${beginning(path, 200)}?`,
    detail:
      'This file may hold keys or passwords. What is in it would be written into the conversation, and a model would be given it.',
    risk: 'high',
    args: { path },
    scope: { key: beginning(`file:${path}`, 180), label: `Read ${beginning(path, 100)}` },
  })
  if (outcome === 'approved' || outcome === 'approved-for-scope') return
  throw new ToolFailed(`${path} may hold keys or passwords, and the person did not allow reading it.`)
}

/** Some lines of a text, as many as a result has room for, and words that say which. */
function pieceOf(path: string, text: string, note: string, from: number, to: number): string {
  const lines = linesOf(text)
  const said = note === '' ? '' : ` ${note}`
  if (lines.length === 0) return `${path} is empty.${said}`
  if (from > lines.length) throw new ToolFailed(`${path} has ${lines.length} lines, and line ${from} is not there.`)
  let room = FITS - HEAD - path.length
  const shown: string[] = []
  let cut = false
  for (const line of lines.slice(from - 1, to)) {
    const piece = line.length > SHOWN_LINE ? `${beginning(line, SHOWN_LINE)}…` : line
    if (shown.length > 0 && room < piece.length + 1) break
    cut ||= piece !== line
    shown.push(piece)
    room -= piece.length + 1
  }
  const last = from + shown.length - 1
  const whole = from === 1 && last === lines.length
  const place = whole ? `${path}, ${lines.length} lines` : `${path}, lines ${from} to ${last} of ${lines.length}`
  const rest = last < Math.min(to, lines.length) ? ` Go on with from: ${last + 1}.` : ''
  const cuts = cut ? ` Lines that are longer than ${SHOWN_LINE} characters are cut, and end with ….` : ''
  return `${place}.${rest}${cuts}${said}\n\n${shown.join('\n')}`
}

function replaced(text: string, edit: { old: string; new: string }, index: number, path: string): string {
  const crlf = text.includes('\r\n') && !edit.old.includes('\r') && !text.includes(edit.old)
  const adapt = (piece: string): string => (crlf ? piece.replace(/\r?\n/g, '\r\n') : piece)
  const [old, given] = [adapt(edit.old), adapt(edit.new)]
  const at = text.indexOf(old)
  const which = `The old text of edit ${index + 1}`
  if (at === -1)
    throw new ToolFailed(`${which} does not stand in ${path}. Read the file again and copy the text exactly.`)
  if (text.indexOf(old, at + 1) !== -1) {
    throw new ToolFailed(`${which} stands in ${path} more than once. Give more lines around it, so that it is unique.`)
  }
  return text.slice(0, at) + given.toWellFormed() + text.slice(at + old.length)
}

/** As many lines as a result has room for. */
function fitting(lines: readonly string[]): { shown: string[]; left: number } {
  let room = FITS - HEAD
  const shown: string[] = []
  for (const line of lines) {
    room -= line.length + 1
    if (room < 0) break
    shown.push(line)
  }
  return { shown, left: lines.length - shown.length }
}
