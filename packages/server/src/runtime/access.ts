import type { Actor } from '@vitrine/protocol'
import { actorOf, type Principal } from '../auth/principal.ts'
import { sessionNotFound } from '../refusal.ts'
import type { SessionRow, SessionStore } from '../storage/session-store.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { SessionActor } from './session-actor.ts'

/** The way to a session for a principal: nobody gets to the session of somebody else. */
export interface Access {
  row(who: Principal, sessionId: string): Promise<SessionRow>
  /** Works with the session in memory. Commands of the session go on meanwhile. */
  use<T>(who: Principal, sessionId: string, work: (session: SessionActor, by: Actor) => Promise<T>): Promise<T>
  /** Carries out a command in the session, after the commands before it. */
  command<T>(who: Principal, sessionId: string, command: (session: SessionActor, by: Actor) => Promise<T>): Promise<T>
}

export function createAccess(storage: Pick<SessionStore, 'session'>, open: OpenSessions): Access {
  async function row(who: Principal, sessionId: string): Promise<SessionRow> {
    const found = await storage.session(sessionId)
    // A session that is not there and one of somebody else get the same refusal.
    if (!found || found.owner !== who.id) throw sessionNotFound()
    return found
  }

  return {
    row,
    use: async (who, sessionId, work) => open.use(await row(who, sessionId), session => work(session, actorOf(who))),
    command: async (who, sessionId, command) =>
      open.use(await row(who, sessionId), session => session.serially(() => command(session, actorOf(who)))),
  }
}

/** Says that there is no such session when a write failed because the session was deleted since it was looked up. */
export async function unlessGone<T>(
  storage: Pick<SessionStore, 'session'>,
  sessionId: string,
  write: Promise<T>,
): Promise<T> {
  return write.catch(async error => {
    throw (await storage.session(sessionId)) ? error : sessionNotFound()
  })
}
