import { z } from 'zod'
import { count, event, id, inRun, line, name, prose, reason, subagentId, taskId } from './base.schema.ts'
import { runStatus } from './run.schema.ts'

export const planStep = z.object({
  id: id.describe('The step of the plan.'),
  title: line.describe('What is to be done.'),
  status: z.enum(['pending', 'active', 'done', 'failed', 'skipped']).describe('How far it is.'),
  detail: line.optional().describe('More about the step.'),
})

const title = line.optional().describe('What the plan is for.')
const compactionId = id.describe('The compaction.')

export const taskEvents = {
  'plan.delta': event(
    'plan.delta',
    {
      when: 'It comes when an agent adds steps to its plan or when steps change.',
      why: 'People see what is planned and how far it is, apart from the answer.',
      order: 'It comes inside a run. Steps are replaced by their id; the plan of an earlier run ends with it.',
    },
    { ...inRun, title, steps: z.array(planStep).max(200).describe('The steps that are new or have changed.') },
  ),
  'plan.final': event(
    'plan.final',
    {
      when: 'It comes when an agent states its whole plan, mostly at the end.',
      why: 'Steps that it does not name are gone.',
      order: 'It comes inside a run. A later `plan.delta` opens the plan again.',
    },
    { ...inRun, title, steps: z.array(planStep).max(200).describe('All steps, in order.') },
  ),
  'task.changed': event(
    'task.changed',
    {
      when: 'It comes when a background task begins, goes on, needs somebody or ends.',
      why: 'The session that asked for the task shows how it stands, though the work is in a session of its own.',
      order: 'It may come at any time. Title, progress and parents that it leaves out stay as they were.',
    },
    {
      taskId,
      title: line.optional().describe('What the task is.'),
      status: runStatus,
      childSessionId: id.optional().describe('The session that works on it.'),
      parentTaskId: id.optional().describe('The task that it is part of.'),
      progress: z.number().min(0).max(1).optional().describe('How far it is, from 0 to 1.'),
      detail: line.optional().describe('What it is doing, in words.'),
      attention: z
        .enum(['none', 'needs-input', 'failed'])
        .optional()
        .describe('Whether somebody should look at it, and why.'),
    },
  ),
  'agent.spawned': event(
    'agent.spawned',
    {
      when: 'It comes when an agent gives a piece of its work to a subagent.',
      why: 'What the subagent says and does stands under its own name, apart from the answer.',
      order:
        'It comes before every other event with this `subagentId`. `agent.completed` follows, at the latest with the end of the run.',
    },
    {
      ...inRun,
      subagentId: id.describe('The subagent. The id names this piece of work and nothing else.'),
      parentSubagentId: id
        .optional()
        .describe('The subagent that spawned it. The agent of the run did when it is absent.'),
      agentId: id.optional().describe('The connected agent that does the work, when it is one.'),
      name: name.describe('What people call the subagent.'),
      input: line.optional().describe('What it was asked to do.'),
    },
  ),
  'agent.completed': event(
    'agent.completed',
    {
      when: 'It comes when a subagent has ended.',
      why: 'It says how, and what the subagent reports.',
      order: 'It comes once, after `agent.spawned`.',
    },
    {
      ...inRun,
      subagentId,
      outcome: z.enum(['completed', 'failed', 'interrupted']).describe('How the subagent ended.'),
      summary: prose.optional().describe('What the subagent reports.'),
    },
  ),
  'agent.handoff': event(
    'agent.handoff',
    {
      when: 'It comes when a subagent gives its work to another agent.',
      why: 'People see who goes on with it.',
      order: 'It comes between `agent.spawned` and `agent.completed`.',
    },
    {
      ...inRun,
      subagentId,
      to: id.describe('The agent or subagent that goes on.'),
      reason: reason.optional(),
    },
  ),
  'context.compaction.started': event(
    'context.compaction.started',
    {
      when: 'It comes when an agent begins to summarise the conversation, because its context is nearly full.',
      why: 'People see why the agent pauses, and that it will remember less.',
      order: 'It comes inside a run. `context.compaction.completed` follows.',
    },
    { ...inRun, compactionId, reason: reason.optional() },
  ),
  'context.compaction.completed': event(
    'context.compaction.completed',
    {
      when: 'It comes when the summary is made.',
      why: 'From here on the agent works with the summary. A rewind to a message before it makes it void.',
      order: 'It comes once, after `context.compaction.started`.',
    },
    {
      ...inRun,
      compactionId,
      tokensBefore: count.optional().describe('How large the context was.'),
      tokensAfter: count.optional().describe('How large the context is now.'),
      summary: prose.optional().describe('What the agent keeps.'),
      keptFrom: id
        .optional()
        .describe(
          'From where on the agent still reads everything as it was said: the id of a message, or of a step of this run.',
        ),
    },
  ),
} as const
