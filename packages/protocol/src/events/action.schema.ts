import { z } from 'zod'
import { MAX_CHANGES } from '../limits.ts'
import { actionId, actor, count, event, id, inRun, json, jsonObject, line, prose, reason, time } from './base.schema.ts'

export const actionKind = z
  .enum(['approval', 'choice', 'form', 'plan', 'correction', 'question', 'client-tool'])
  .describe('What is needed. `client-tool` is the result of a tool that the client runs itself.')
const risk = z.enum(['low', 'medium', 'high']).describe('How much harm a wrong yes could do.')

const scope = z.object({
  key: id.describe('A stable key of what is covered.'),
  label: line.describe('What is covered, in words.'),
})

export const fileChange = z
  .object({
    path: line.min(1).describe('Where the file is, in the words of the agent.'),
    before: z.string().optional().describe('The text of the file as it is. It is absent when the file would be new.'),
    after: z
      .string()
      .optional()
      .describe('The text that the file would have. It is absent when the file would be deleted.'),
    line: z
      .int()
      .min(1)
      .optional()
      .describe('The number of the first line of both texts, when they are a piece of the file. It is 1 when absent.'),
    cut: z
      .object({
        before: count.describe('Lines that are missing at the end of the text before.'),
        after: count.describe('Lines that are missing at the end of the text after.'),
      })
      .optional()
      .describe('How much of the texts is missing, because an event has no room for it. The runtime says so.'),
  })
  .describe('What would become of one file.')

export const actionRequest = z
  .object({
    kind: actionKind,
    title: line.describe('What is asked, in one line.'),
    detail: prose.optional().describe('More about it, as Markdown.'),
    reason: reason.optional().describe('Why the agent asks.'),
    scope: scope.optional().describe('What an approval "for this scope" would cover.'),
    risk: risk.optional(),
    args: json.optional().describe('The arguments that somebody who approves may look at and edit.'),
    changes: z
      .array(fileChange)
      .max(MAX_CHANGES)
      .optional()
      .describe('The files that would be changed. People see what would change in each of them.'),
    moreChanges: count
      .optional()
      .describe('How many more files would be changed than `changes` has, because an event has no room for them.'),
    options: z
      .array(
        z.object({
          value: id.describe('What is sent when it is chosen.'),
          label: line.describe('What people read.'),
          detail: line.optional().describe('More about the option.'),
        }),
      )
      .max(100)
      .optional()
      .describe('What there is to choose from.'),
    multiple: z.boolean().optional().describe('Whether several options may be chosen.'),
    schema: jsonObject.optional().describe('The JSON Schema of the response.'),
    plan: z
      .array(
        z.object({
          id: id.describe('The step.'),
          title: line.describe('What would be done.'),
          detail: prose.optional().describe('More about the step.'),
        }),
      )
      .max(200)
      .optional()
      .describe('The plan that is to be decided on.'),
    expiresAt: time.optional().describe('When the request counts as denied if nobody has responded.'),
    foreignId: id.optional().describe('The id that an agent of another dialect gave to its request.'),
  })
  .describe('What an agent needs from a person.')

export const actionOutcome = z
  .enum(['approved', 'approved-for-scope', 'denied', 'answered', 'expired', 'cancelled'])
  .describe('What became of the request.')

export const actionEvents = {
  'action.required': event(
    'action.required',
    {
      when: 'It comes when an agent needs an approval, a choice, an answer or the result of a tool of the client.',
      why: 'The run waits, and everybody who follows the session sees for what.',
      order: 'It comes inside a run. `action.resolved` follows, at the latest with the end of the run.',
    },
    { ...inRun, actionId, request: actionRequest },
  ),
  'action.resolved': event(
    'action.resolved',
    {
      when: 'It comes when somebody has responded, a remembered permission decided, the time was over or the run was stopped.',
      why: 'A request is resolved when this event says so and by nothing else, so that all readers see the same outcome.',
      order: 'It comes once, after `action.required`. A repeated response is answered with this outcome.',
    },
    {
      actionId,
      outcome: actionOutcome,
      by: actor,
      response: json.optional().describe('The choice, the values, the edited arguments or the answer in words.'),
      text: prose
        .optional()
        .describe(
          'What the person wrote beside the choice: the instructions of a refusal, or an answer to a choice or a plan in their own words.',
        ),
    },
  ),
  'permission.changed': event(
    'permission.changed',
    {
      when: 'It comes when somebody approves for a scope, and when such a permission is taken back.',
      why: 'Permissions that are remembered are facts: they are listed and can be revoked.',
      order: 'A permission is granted before it is revoked.',
    },
    {
      permissionId: id.describe('The permission.'),
      state: z.enum(['granted', 'revoked']).describe('Whether it counts from now on.'),
      scope: scope.optional().describe('What the permission covers.'),
      actionId: actionId.optional(),
    },
  ),
} as const
