/** The ids of people's messages follow from the ids of their turns. Nothing that an agent says may have such an id. */
const PREFIX = 'msg_'

/** The id of the message that a turn becomes. */
export const messageOfTurn = (turnId: string): string => `${PREFIX}${turnId}`

/** Whether a message, or a part of one, has an id that is reserved for what people say. */
export const namesPerson = (given: { messageId?: unknown; partId?: unknown } | null): boolean =>
  [given?.messageId, given?.partId].some(id => typeof id === 'string' && id.startsWith(PREFIX))
