import { known } from '../entities.ts'
import { changed, fill, type Handlers } from './changes.ts'

export const sessionHandlers = {
  'session.updated': (state, event) => {
    const { session } = state
    const { title, agentId, metadata, at } = event
    fill(session, {
      ...event,
      title: title === undefined ? title : known(title),
      agentId: agentId === undefined ? agentId : known(agentId),
      metadata: { ...session.metadata, ...metadata },
      createdAt: session.createdAt || at,
      updatedAt: at,
    })
    changed(state, session)
  },
} satisfies Partial<Handlers>
