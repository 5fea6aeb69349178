import type { Connection } from './connection.ts'
import type { Follower } from './follower.ts'

/** Brings the followers of one connection up to date, page by page and in turns, as fast as the reader takes them. */
export function createBacklog(connection: Connection, report: (error: unknown) => void) {
  const followers = new Map<string, Follower>()
  let working = false

  async function work() {
    if (working) return
    working = true
    try {
      for (let any = true; any; ) {
        any = false
        for (const follower of followers.values()) {
          if (!follower.behind) continue
          any = true
          await connection.outbox.room()
          if (connection.closed) return
          if (follower.behind) await follower.readPage()
        }
      }
    } catch (error) {
      if (!connection.closed) report(error)
      connection.fail(error)
    } finally {
      working = false
    }
  }

  connection.onClose(() => {
    for (const follower of followers.values()) follower.stop()
    followers.clear()
  })

  return {
    add(follower: Follower) {
      if (connection.closed) return follower.stop()
      followers.set(follower.sessionId, follower)
      work()
    },
    remove(sessionId: string): boolean {
      followers.get(sessionId)?.stop()
      return followers.delete(sessionId)
    },
    work,
  }
}
