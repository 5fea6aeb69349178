import { z } from 'zod'
import { actor, count, event, id, jsonObject, prose } from './base.schema.ts'

export const queuePolicy = z
  .object({
    mode: z
      .enum(['serial', 'merge'])
      .describe('`serial` runs queued turns one after another; `merge` makes one turn of those that wait together.'),
    onFailure: z
      .enum(['hold', 'continue'])
      .describe('Whether the queue is held or goes on when the run before has failed.'),
  })
  .describe('How the queue of the session works.')

export const sessionEvents = {
  'session.updated': event(
    'session.updated',
    {
      when: 'It comes first in every log, and whenever the title, the agent or a setting of the session changes.',
      why: 'The session itself is a fact like any other, so that its list and its header follow the log.',
      order: 'It may come at any time. A field that it leaves out stays as it was.',
    },
    {
      title: z.string().max(300).optional().describe('The title that people see.'),
      agentId: id.optional().describe('The connected agent that answers in this session.'),
      queuePolicy: queuePolicy.optional(),
      pinned: z.boolean().optional().describe('Whether the session stands at the top of the list.'),
      archived: z.boolean().optional().describe('Whether the session is put away.'),
      folderId: id
        .nullable()
        .optional()
        .describe('The folder that the session is in. Null takes it out of its folder.'),
      metadata: jsonObject
        .optional()
        .describe('Settings and counts of the session. Keys are merged into what is there.'),
      forkOf: z
        .object({
          sessionId: id.describe('The session that was copied.'),
          seq: count.describe('The last event that was copied.'),
          ordinal: z
            .int()
            .min(1)
            .optional()
            .describe('The message after which the session was branched off, when a message was named.'),
        })
        .optional()
        .describe('Where the session was branched off.'),
      parent: z
        .object({
          sessionId: id.describe('The session that asked for the task.'),
          taskId: id.optional().describe('The task in that session.'),
        })
        .optional()
        .describe('The session works on a background task of another one.'),
    },
  ),
  'history.rewound': event(
    'history.rewound',
    {
      when: 'It comes when somebody edits a message that was sent, regenerates an answer, or when a client of another dialect sends a shorter history.',
      why: 'What came after leaves the active path: agents no longer see it. It stays in the log and is an earlier version of the message.',
      order:
        'It comes only while no run is active and the queue is empty, and names a message on the active path. The turn that replaces the message follows.',
    },
    {
      fromMessageId: id.describe('The first message that leaves the active path.'),
      fromOrdinal: z.int().min(1).describe('The ordinal of that message. Ordinals are never used again.'),
      reason: z
        .enum(['edited', 'regenerated', 'client'])
        .describe(
          'A person edited the message, a person wanted another answer, or a client of another dialect did so.',
        ),
      by: actor,
    },
  ),
  'feedback.changed': event(
    'feedback.changed',
    {
      when: 'It comes when a person says whether an answer was good, changes what they said, or takes it back.',
      why: 'What people think of an answer is a fact with an author. It stands beside the answer and changes nothing in it.',
      order: 'It may come at any time and names a message on the active path. The newest one of each person counts.',
    },
    {
      messageId: id.describe('The message that it is about.'),
      ordinal: z.int().min(1).describe('The ordinal of that message.'),
      rating: z
        .enum(['up', 'down', 'none'])
        .describe('What the person thinks of the message. `none` takes back what they said before.'),
      reason: prose.optional().describe('Why, in the words of the person.'),
      by: actor,
    },
  ),
} as const
