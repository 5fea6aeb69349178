import type { SessionEvent } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { type Command, type Evidence, judge, type Kind } from './judge.ts'
import { createRandom } from './random.ts'

const event = (seq: number, rest: object) => ({ seq, sessionId: 's', at: 1, ...rest }) as SessionEvent
const run = { runId: 'r', turnId: 't', messageId: 'r/m', agentId: 'worker' }

/** A session with one turn that ran to its end. */
const log = (outcome = 'completed'): SessionEvent[] => [
  event(1, { type: 'session.updated', title: 'Title', agentId: 'worker' }),
  event(2, { type: 'run.started', ...run, messageId: 'msg_t', input: { text: 'quick' }, attempt: 1 }),
  event(3, { type: 'text.delta', runId: 'r', turnId: 't', messageId: 'r/m', partId: 'p', delta: 'done t' }),
  event(4, { type: 'run.finished', runId: 'r', turnId: 't', outcome }),
]
/** The end of a run whose process was killed. */
const crashed = {
  type: 'run.finished',
  runId: 'r',
  turnId: 't',
  outcome: 'interrupted',
  reason: { code: 'server_crashed', message: 'The server stopped.' },
}
const command = (kind: Kind, id: string, status = 202, rest: Partial<Command> = {}): Command => ({
  kind,
  sessionId: 's',
  id,
  method: 'POST',
  path: '',
  answers: [{ status, body: {} }],
  ...rest,
})
const summary = (title = 'Title', rest: object = {}) =>
  ({ sessionId: 's', title, seq: 4, readSeq: 0, ...rest }) as Evidence['summaries'][number]
const judged = (change: Partial<Evidence>): string[] =>
  judge({
    commands: [],
    seen: new Map(),
    logs: new Map([['s', log()]]),
    summaries: [summary()],
    folders: [],
    providers: [],
    journal: ['begin s r t 1', 'end s r t 1'],
    ...change,
  }).map(({ fault }) => fault)

describe('the judge of the torture harness', () => {
  it('R-15 finds nothing when everything that was promised is there', () => {
    const commands = [command('create', 'Title', 201), command('submit', 't'), command('rename', 'Title', 200)]
    expect(judged({ commands, seen: new Map([['s', new Map([[1, JSON.stringify(log()[0])]])]]) })).toEqual([])
  })

  it.each<[string, Partial<Evidence>, string[]]>([
    ['an accepted turn that never ran', { commands: [command('submit', 'other')] }, ['lost']],
    ['an accepted steer without its event', { commands: [command('steer', 'x')] }, ['lost']],
    ['a queued turn that was to steer and is nowhere', { commands: [command('steer queued', 'x')] }, ['lost']],
    ['a folder that did not stay', { commands: [command('folder', 'f', 200, { body: { name: 'F' } })] }, ['lost']],
    ['a provider that did not stay', { commands: [command('provider', 'p', 200)] }, ['lost']],
    ['a removed session that is there', { commands: [command('delete', 's', 204)] }, ['lost']],
    ['an accepted session that is not', { commands: [command('create', 'Title')], logs: new Map() }, ['lost']],
    ['a name that did not stay', { commands: [command('rename', 'New', 200)] }, ['lost']],
    [
      'two sessions of one write',
      { commands: [command('create', 'Title')], summaries: [summary(), summary()] },
      ['doubled'],
    ],
    ['a session without an event', { summaries: [summary('', { seq: 0 })] }, ['lost']],
    ['a gap in the log', { logs: new Map([['s', log().filter(({ seq }) => seq !== 1)]]) }, ['lost']],
    ['a run without an end', { logs: new Map([['s', log().slice(0, 3)]]) }, ['lost']],
    ['an attempt that began twice', { journal: ['begin s r t 1', 'begin s q t 1', 'end s r t 1'] }, ['doubled']],
    ['a success that the agent does not know of', { journal: ['begin s r t 1'] }, ['false success']],
    ['an event that a stream showed otherwise', { seen: new Map([['s', new Map([[2, '{}']])]]) }, ['lost']],
    ['an event that a stream showed and the log lacks', { seen: new Map([['s', new Map([[9, '{}']])]]) }, ['lost']],
    [
      'a run that could go on and was interrupted',
      {
        commands: [command('resume', 't')],
        logs: new Map([['s', [...log().slice(0, 3), event(4, { ...crashed })]]]),
      },
      ['lost'],
    ],
    ['an error without a reason', { commands: [command('submit', 't', 500)] }, ['unclear']],
  ])('R-15 finds %s', (_, evidence, faults) => {
    expect(judged(evidence)).toEqual(faults)
  })

  it('R-15 expects nothing of a write that was refused or never answered', () => {
    const unanswered = command('submit', 'other', 202, { answers: [undefined] })
    expect(
      judged({ commands: [unanswered, command('submit', 'other', 409), command('submit', 'other', 503)] }),
    ).toEqual([])
  })

  it('R-15 a seed repeats its choices', () => {
    const choices = (seed: number) => {
      const random = createRandom(seed)
      return [random.shuffle([1, 2, 3, 4, 5]), random.between(0, 1_000_000), random.pick(['a', 'b', 'c'])]
    }
    expect(choices(7)).toEqual(choices(7))
    expect(choices(7)).not.toEqual(choices(8))
  })
})
