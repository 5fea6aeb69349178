import { z } from 'zod'
import { actor, count, digest, event, fileRef, id, inRun, prose, reason, time } from './base.schema.ts'
import { interaction, turnInput } from './run.schema.ts'

export const queuedTurn = z
  .object({
    turnId: id.describe('The id under which the turn was accepted.'),
    input: turnInput,
    preview: z.string().max(400).describe('The beginning of its text, for the list.'),
    createdAt: time.describe('When it was queued.'),
    by: actor.optional(),
  })
  .describe('The turn as it waits in the queue.')

const steerId = id.describe('The steer. It is the idempotency key of whoever sent it.')

export const queueEvents = {
  'queue.changed': event(
    'queue.changed',
    {
      when: 'It comes when a turn is queued, edited, moved, removed or started, and when the queue is held or released.',
      why: 'What waits is a fact of the session, the same for all who follow it.',
      order: 'It may come at any time. `run.started` follows the change in which the turn started.',
    },
    {
      change: z
        .enum(['added', 'edited', 'moved', 'removed', 'started', 'held', 'released'])
        .describe('What changed. All but the last two name a turn.'),
      turnId: id.optional().describe('The turn that changed.'),
      turn: queuedTurn.optional().describe('The turn, when it was added or edited.'),
      position: count.optional().describe('Its place, from 0 on, when it was added or moved.'),
      reason: reason.optional().describe('Why the queue is held.'),
    },
  ),
  'steer.accepted': event(
    'steer.accepted',
    {
      when: 'It comes when the runtime has taken what a person says to a run that is working.',
      why: 'The words wait in the inbox of the agent; everybody sees that they do.',
      order: 'It comes inside a run. `steer.consumed` or `steer.rejected` follows.',
    },
    {
      ...inRun,
      steerId,
      text: prose.describe('What was typed. It is empty when the steer is an interaction.'),
      interaction: interaction.optional(),
      files: z.array(fileRef).max(64).optional().describe('The files that came with it, in the blob store.'),
      digest: digest
        .optional()
        .describe('The digest of what was sent, so that the same id with other content is noticed for ever.'),
    },
  ),
  'steer.rejected': event(
    'steer.rejected',
    {
      when: 'It comes when a steer cannot be taken, or when its run ended before the agent took it up.',
      why: 'The person gets the draft back, with the reason.',
      order: 'It comes instead of `steer.accepted`, or after it and instead of `steer.consumed`.',
    },
    { steerId, reason },
  ),
  'steer.consumed': event(
    'steer.consumed',
    {
      when: 'It comes when the agent has taken the steer up.',
      why: 'It marks the place in the conversation from which on the steer counts.',
      order: 'It comes once, after `steer.accepted`.',
    },
    {
      ...inRun,
      steerId,
      messageId: id.describe('The message in which the steer took effect.'),
      partId: id.describe('The part that marks the place.'),
    },
  ),
} as const
