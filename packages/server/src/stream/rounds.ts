import type { Connection } from './connection.ts'

/** Something that a reader follows, and that is read from storage as long as the reader is behind. */
export interface Followed {
  /** True until everything that is durable has been sent. */
  readonly behind: boolean
  /** Sends the next frame of what is missing. */
  step(): Promise<void>
  stop(): void
}

export interface Rounds {
  add(name: string, source: Followed): void
  remove(name: string): boolean
  /** A source is behind: work, if nobody does yet. */
  work(): void
}

/** Brings the sources of one connection up to date, frame by frame and in rounds, as fast as the reader takes them. */
export function createRounds(connection: Connection, report: (error: unknown) => void): Rounds {
  const sources = new Map<string, Followed>()
  // Any source may come first: on connections that are cut early the same one must not use up all of them.
  let round = Math.floor(Math.random() * 1000)
  let working = false

  function next(): Followed | undefined {
    const behind = [...sources.values()].filter(source => source.behind)
    return behind[round++ % behind.length]
  }

  async function work() {
    if (working) return
    working = true
    try {
      for (let source = next(); source; source = next()) {
        await connection.sendQueue.room()
        if (connection.closed) return
        if (source.behind) await source.step()
      }
    } catch (error) {
      if (!connection.closed) report(error)
      connection.fail(error)
    } finally {
      working = false
    }
  }

  connection.onClose(() => {
    for (const source of sources.values()) source.stop()
    sources.clear()
  })

  return {
    add(name, source) {
      if (connection.closed) return source.stop()
      sources.set(name, source)
      work()
    },
    remove(name) {
      sources.get(name)?.stop()
      return sources.delete(name)
    },
    work: () => void work(),
  }
}
