import { type EventsFrame, type SessionEvent, unpackEvents } from '@vitrine/protocol'
import { browserDialect } from './browser-dialect.ts'
import { dialectContract } from './dialect.contract.ts'
import { sessionDialect } from './session-dialect.ts'

/** The data of whole server-sent events, of one kind or of those without a name. */
const dataIn = (text: string, event?: string): unknown[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map(frame => new Map(frame.split('\n').map(line => line.split(/: (.*)/s, 2) as [string, string])))
    .filter(fields => fields.get('event') === event && fields.has('data'))
    .map(fields => JSON.parse(fields.get('data')!))

dialectContract('browser', {
  dialect: browserDialect,
  read: text => dataIn(text, 'events').flatMap(data => unpackEvents(data as EventsFrame)),
})

dialectContract('session', { dialect: sessionDialect, read: text => dataIn(text) as SessionEvent[] })
