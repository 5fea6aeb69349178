import type { Scenario } from '../scenario.ts'

export const evidence: Scenario = {
  id: 'evidence',
  title: 'What a claim rests on',
  shows: 'what a claim rests on: sources, checks, and what is missing',
  example: 'show your evidence',
  triggers: ['evidence', 'sources', 'cite', 'proof', 'verify', '证据', '来源', '引用'],
  async *play(_input, _context, say) {
    const evidenceId = say.own('evidence')
    yield {
      type: 'evidence.changed',
      evidenceId,
      evidence: { kind: 'claims', title: 'Is it safe to deploy?', state: 'collecting' },
    }
    yield* say.tool(
      { name: 'ci.status', title: 'Ask the build', args: { branch: 'main' } },
      { preview: 'unit: passed (412)\nbrowser: passed (38)', value: { unit: 'passed', browser: 'passed' } },
    )
    yield* say.tool(
      { name: 'errors.count', title: 'Count new errors', args: { hours: 24 } },
      { preview: '3 new errors, all of one kind', value: { errors: 3 } },
    )
    yield {
      type: 'evidence.changed',
      evidenceId,
      evidence: {
        state: 'ready',
        claims: [{ id: 'safe', text: 'The build on main is safe to deploy.' }],
        sources: [
          { id: 'ci', title: 'Build status of main' },
          { id: 'errors', title: 'New errors, last 24 hours' },
        ],
        edges: [
          { from: 'ci', to: 'safe', relation: 'supports' },
          { from: 'errors', to: 'safe', relation: 'qualifies' },
        ],
        verification: {
          verdict: 'inconclusive',
          by: 'guide (scripted)',
          detail: 'Three new errors are not explained.',
        },
        missing: ['Load test of the new version'],
      },
    }
    yield* say.text(
      `**Probably safe, but not proven.** The build supports it, three new errors qualify it, and a load test is missing.

Each claim is linked to what it rests on. A check by a system (mine: *inconclusive*) and a review by a person (yours, when you like) are kept apart; if they contradict each other, it is shown as *disputed*. *(Scripted: there is no such build.)*`,
    )
  },
}
