import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionEvent } from '@vitrine/protocol'
import { type Command, type Finding, judge } from './judge.ts'
import type { Random } from './random.ts'
import { type Answer, eventually, Server, type StartOptions } from './server.ts'

const SETTLE_MS = 20_000

/** One data folder with the servers that ran on it, and everything that was promised and shown in one round. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-torture-'))
  readonly random: Random
  commands: Command[] = []
  seen = new Map<string, Map<number, string>>()
  findings: Finding[] = []
  /** How many writes and shown events this world has judged. */
  judged = 0
  /** How many writes got no answer at least once. */
  hit = 0
  #server: Server | undefined
  #last = 0

  constructor(random: Random) {
    this.random = random
  }

  get server(): Server {
    if (!this.#server) throw new Error('No server runs')
    return this.#server
  }

  /** Kills the server, if one runs, as a power cut would, and starts the next one on the same data. */
  async restart(options: Omit<StartOptions, 'folder'> = {}): Promise<void> {
    await this.#server?.kill()
    this.#server = await Server.start({ folder: this.folder, ...options })
  }

  /** Kills the server and removes the data. */
  async end(): Promise<void> {
    await this.#server?.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Gives an id that is unique in this world. */
  id(name: string): string {
    return `${name}-${++this.#last}`
  }

  command(given: Omit<Command, 'answers'>): Command {
    const command = { ...given, answers: [] }
    this.commands.push(command)
    return command
  }

  async send(command: Command, through?: URL): Promise<Answer | undefined> {
    const { method, path, body, headers } = command
    const answer = await this.server.call(method, path, body, {
      ...(headers && { headers }),
      ...(through && { through }),
    })
    command.answers.push(answer)
    if (answer && answer.status < 300 && command.kind === 'create') command.sessionId ||= answer.body.session.sessionId
    return answer
  }

  /** Makes a session with the honest agent. */
  async session(agentId = 'worker'): Promise<string> {
    const title = this.id('title')
    const create = this.command({
      kind: 'create',
      sessionId: this.id('s'),
      id: title,
      method: 'POST',
      path: '/sessions',
    })
    create.body = { sessionId: create.sessionId, title, agentId }
    await this.sendSurely(create)
    return create.sessionId
  }

  submitTurn(sessionId: string, text: string): Command {
    const id = this.id('turn')
    const path = `/sessions/${sessionId}/turns`
    return this.command({ kind: 'submit', sessionId, id, method: 'POST', path, body: { turnId: id, text } })
  }

  async sendSurely(command: Command): Promise<Answer['body']> {
    const answer = await this.send(command)
    if (answer && answer.status < 300) return answer.body
    throw new Error(`${command.method} ${command.path} was answered with ${JSON.stringify(answer) ?? 'nothing'}`)
  }

  async until(sessionId: string, isSo: (event: SessionEvent) => boolean): Promise<SessionEvent> {
    let found: SessionEvent | undefined
    await eventually(async () => {
      found = (await this.server.log(sessionId))?.find(isSo)
      return found !== undefined
    }, SETTLE_MS)
    if (!found) throw new Error(`What was waited for did not come in ${sessionId}`)
    return found
  }

  show(sessionId: string, event: SessionEvent): void {
    const shown = this.seen.get(sessionId) ?? new Map<number, string>()
    this.seen.set(sessionId, shown.set(event.seq, JSON.stringify(event)))
  }

  /** Waits until no run is under way, then judges. Findings are kept; commands are kept until `forget`. */
  async judge(): Promise<void> {
    const sessionIds = new Set([...this.seen.keys(), ...this.commands.map(({ sessionId }) => sessionId)])
    sessionIds.delete('')
    await this.#useUploads()
    const logs = new Map<string, SessionEvent[] | null>()
    await eventually(async () => {
      for (const sessionId of sessionIds) {
        const log = await this.server.log(sessionId)
        logs.set(sessionId, log)
        if (log && !isSettled(log)) return false
      }
      return true
    }, SETTLE_MS)
    for (const sessionId of sessionIds) if (!logs.has(sessionId)) logs.set(sessionId, await this.server.log(sessionId))
    const journal = this.journal().filter(line => sessionIds.has(line.split(' ')[1]!))
    const { commands, seen } = this
    const [summaries, folders] = [await this.server.summaries(), await this.server.folders()]
    const providers = await this.server.providers()
    for (const finding of judge({ commands, seen, logs, summaries, folders, providers, journal })) {
      if (!this.findings.some(({ what }) => what === finding.what)) this.findings.push(finding)
    }
  }

  /** Sends a turn for each file that the server said it has: under the same id, it is the same turn each time. */
  async #useUploads(): Promise<void> {
    for (const { kind, id, sessionId, answers } of this.commands) {
      const digest = kind === 'upload' && answers.find(answer => answer && answer.status < 300)?.body.digest
      if (!digest) continue
      const body = { turnId: `uses-${id}`, text: 'read', files: [{ digest, name: 'file.json' }] }
      await this.server.call('POST', `/sessions/${sessionId}/turns`, body)
    }
  }

  /** Drops the commands and shown events, so that the next round starts with nothing. */
  forget(): void {
    this.judged += this.commands.length + [...this.seen.values()].reduce((sum, shown) => sum + shown.size, 0)
    this.hit += this.commands.filter(({ answers }) => answers.includes(undefined)).length
    this.commands = []
    this.seen = new Map()
  }

  journal(): string[] {
    const file = join(this.folder, 'journal')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  }
}

function isSettled(log: readonly SessionEvent[]): boolean {
  const open = new Set<string>()
  for (const event of log) {
    if (event.type === 'run.started') open.add(event.runId)
    if (event.type === 'run.finished' || event.type === 'run.failed') open.delete(event.runId)
  }
  return open.size === 0
}
