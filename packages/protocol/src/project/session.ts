import { known } from '../entities.ts'
import { changed, fill, type Handlers } from './changes.ts'

export const sessionHandlers = {
  'session.updated': (state, event) => {
    const { session } = state
    const { title, agentId, metadata, by, at } = event
    fill(session, {
      ...event,
      title: title === undefined ? title : known(title),
      titledBy: title === undefined ? title : by,
      agentId: agentId === undefined ? agentId : known(agentId),
      metadata: { ...session.metadata, ...metadata },
      createdAt: session.createdAt || at,
      // What people arrange in their list does not move it there: what is said does.
      updatedAt: session.updatedAt || at,
    })
    if (event.folderId === null) session.folderId = null
    changed(state, session)
  },
} satisfies Partial<Handlers>
