/** Ids of what a person said are known before it is said; nothing that an agent says may have one. */
const PREFIX = 'msg_'

/** The id of the message that a turn becomes. */
export const messageOfTurn = (turnId: string): string => `${PREFIX}${turnId}`

/** Whether the message, or the part of one, has an id that is or may become that of a person's. */
export const namesPerson = (given: { messageId?: unknown; partId?: unknown } | null): boolean =>
  [given?.messageId, given?.partId].some(id => typeof id === 'string' && id.startsWith(PREFIX))
