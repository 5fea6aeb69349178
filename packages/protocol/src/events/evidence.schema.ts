import { z } from 'zod'
import { blobRef, event, evidenceId, id, jsonObject, line, name } from './base.schema.ts'

export const evidenceFacts = z.object({
  kind: name.describe('What the evidence is, such as a claim, a trace or a pack of them.'),
  title: line.optional().describe('What people call it.'),
  state: z.enum(['collecting', 'ready', 'failed']).optional().describe('How far it is collected.'),
  claims: z.array(jsonObject).max(200).optional().describe('What is claimed.'),
  sources: z.array(jsonObject).max(200).optional().describe('What the claims rest on.'),
  edges: z
    .array(
      z.object({
        from: id.describe('The source.'),
        to: id.describe('The claim.'),
        relation: z
          .enum(['supports', 'contradicts', 'qualifies', 'background'])
          .describe('What the source says about the claim.'),
      }),
    )
    .max(500)
    .optional()
    .describe('Which source speaks of which claim.'),
  verification: z
    .object({
      verdict: z.enum(['pass', 'fail', 'inconclusive']).describe('What the system found.'),
      by: name.describe('The system.'),
      detail: line.optional().describe('More about the verdict.'),
    })
    .optional()
    .describe('What a system found.'),
  review: z
    .object({
      verdict: z.enum(['accepted', 'rejected', 'changes-requested']).describe('What the person decided.'),
      by: name.describe('The person.'),
      detail: line.optional().describe('More about the decision.'),
    })
    .optional()
    .describe('What a person decided. When it contradicts the verification, the verdict is disputed.'),
  trace_ref: id.optional().describe('Where the trace is read.'),
  replay_ref: id.optional().describe('Where the replay is read.'),
  missing: z.array(line).max(100).optional().describe('What the evidence does not cover.'),
  ref: blobRef.optional().describe('The evidence itself, when it is larger than an event may be.'),
})

export const evidenceEvents = {
  'evidence.changed': event(
    'evidence.changed',
    {
      when: 'It comes when claims, sources, a verification or a review are added or change.',
      why: 'What supports a result is a fact of its own, and the verdict of a system stands apart from that of a person.',
      order: 'It may come at any time. A fact that it leaves out stays as it was.',
    },
    { evidenceId, evidence: evidenceFacts.partial().describe('What is known now.') },
  ),
} as const
