import type { Json } from '@vitrine/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentOutput } from '../agent.ts'
import { type Asked, alive, type GivenResponse, type PlayOptions, Session } from './context.test.kit.ts'
import { createGuide, scenarios } from './guide.ts'
import { match } from './scenario.ts'
import { CHINESE } from './scenarios/help.ts'
import { createScout } from './scout.ts'

const session = () => new Session(createGuide({ pace: 0 }), createScout({ pace: 0 }))

/** A person who says yes to everything and fills in what is asked. */
function agreeable(request: Asked): GivenResponse {
  const value: Record<Asked['kind'], Json> = {
    approval: null,
    choice: request.multiple ? ['train', 'food'] : 'sea',
    form: { name: 'Ada', guests: 2, date: '2026-03-15' },
    plan: null,
    correction: { text: 'The capital of Australia is Canberra.' },
    'client-tool': null,
    question: 'Ada',
  }
  const decision = request.kind === 'approval' || request.kind === 'plan' ? 'approved-for-scope' : 'answered'
  return { outcome: decision, value: value[request.kind] }
}

const play = (text: string, options: PlayOptions = {}, on = session()) =>
  on.play('guide', text, { answer: agreeable, ...options }).then(result => ({ ...result, session: on }))

const ofType = <T extends AgentOutput['type']>(outputs: AgentOutput[], type: T) =>
  outputs.filter((output): output is Extract<AgentOutput, { type: T }> => output.type === type)

/** Variants of the scenarios that take little time. */
const request = (id: string, example: string) =>
  id === 'slow-work' ? '/slow-work 1 s' : id === 'stress' ? '/stress 500' : example

describe('P-9116 what is attached', () => {
  const file = (name: string, mediaType: string, size: number) => ({ ref: 'r', digest: name, name, mediaType, size })

  it('P-9116 is named with its kind and size, whatever the words are, and the first line of a text is read', async () => {
    const files = [file('a`*b.png', 'image/png', 214_300), file('notes.txt', 'text/plain', 22)]
    for (const [text, more] of [
      ['Compare these', ''],
      ['what did I attach?', ''],
      ['hello', 'Hello! I am'],
    ] as const) {
      const { answer } = await session().play('guide', { text, files })
      expect(answer).toContain('You attached 2 files:')
      expect(answer).toContain('``a`*b.png``, image/png, 214 KB')
      expect(answer).toMatch(/First line\n/)
      expect(answer).not.toContain('Second line')
      expect(answer).toContain(more)
      expect(answer).not.toContain('I cannot answer this')
    }
  })

  it('P-9116 is nothing when nothing is attached', async () => {
    const { answer } = await play('what did I attach?')
    expect(answer).toContain('You attached nothing')
  })
})

describe('every scenario', () => {
  for (const { id, example } of scenarios) {
    it(`P-505 ${id.replaceAll('-', ' ')}: its history is legal, complete and the same each time`, async () => {
      const first = await play(request(id, example))
      if (id !== 'failing-run') expect(first.failure).toBeUndefined()
      expect(first.answer.length).toBeGreaterThan(20)
      const open = [...first.session.state.parts.byId.values()].filter(part => part.state === 'streaming')
      expect(open).toEqual([])
      expect([...first.session.state.tools.byId.values()].filter(tool => tool.endedAt === null)).toEqual([])
      const again = await play(request(id, example))
      const stable = (outputs: AgentOutput[]) =>
        JSON.stringify(outputs.filter(({ type }) => type !== 'metric.changed')).replace(/process \d+/g, 'process')
      expect(stable(again.outputs)).toBe(stable(first.outputs))
    }, 20_000)

    it(`P-506 ${id.replaceAll('-', ' ')}: a person who declines everything gets an answer and a legal history`, async () => {
      const refuse: PlayOptions = { answer: () => ({ outcome: 'denied', value: null }), refuseSurfaces: true }
      const { failure, answer } = await play(request(id, example), refuse)
      if (id !== 'failing-run') expect(failure).toBeUndefined()
      expect(answer.length).toBeGreaterThan(20)
    }, 20_000)
  }

  it('P-505 part ids are p1, p2, …, and tool call ids differ between runs of a session', async () => {
    const one = session()
    const first = await play('/tools', {}, one)
    const second = await play('/tools', {}, one)
    const parts = [...new Set(first.outputs.flatMap(output => ('partId' in output && output.partId) || []))]
    expect(parts).toEqual(parts.map((_, n) => `p${n + 1}`))
    const calls = [...first.outputs, ...second.outputs].flatMap(output =>
      output.type === 'tool.started' ? output.toolCallId : [],
    )
    expect(new Set(calls).size).toBe(6)
  })

  it('P-507 after an abort at any point the run ends without an error, and no process is left', async () => {
    const slow = '/slow-work 600 s'
    const requests = scenarios
      .filter(({ id }) => id !== 'tour' && id !== 'stress')
      .map(({ id, example }) => (id === 'slow-work' ? slow : request(id, example)))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(...requests), fc.constant(slow)), fc.nat(200), async (text, at) => {
        const pids: number[] = []
        const { failure, session: one } = await play(text, {
          abortAfter: at + 1,
          onOutput: (output, stop) => {
            const pid = output.type === 'tool.progress' && /process (\d+)/.exec(output.message ?? '')?.[1]
            if (!pid) return
            pids.push(Number(pid))
            stop.abort()
          },
        })
        if (text !== 'fail on purpose') expect(failure).toBeUndefined()
        expect(pids.filter(alive)).toEqual([])
        expect(one.state.session.activeRunId).toBeNull()
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('P-507 slow work that is interrupted has ended its process before the run ends', async () => {
    let pid = 0
    const started = performance.now()
    const { failure } = await play('work slowly for 600 seconds', {
      onOutput: (output, stop) => {
        if (output.type !== 'tool.progress') return
        pid = Number(/process (\d+)/.exec(output.message!)![1])
        expect(alive(pid)).toBe(true)
        setTimeout(() => stop.abort(), 50)
      },
    })
    expect(failure).toBeUndefined()
    expect(pid).toBeGreaterThan(0)
    expect(alive(pid)).toBe(false)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('requests in plain words', () => {
  it('P-501 every example, command and Chinese request reaches its scenario', () => {
    for (const scenario of scenarios) {
      expect(match(scenarios, scenario.example)?.id).toBe(scenario.id)
      expect(match(scenarios, `/${scenario.id}`)?.id).toBe(scenario.id)
      const chinese = CHINESE[scenario.id]
      if (chinese) expect(match(scenarios, chinese[0])?.id).toBe(scenario.id)
    }
    const listed = scenarios.map(({ id }) => id).filter(id => !['tour', 'help', 'hello'].includes(id))
    expect(Object.keys(CHINESE).toSorted()).toEqual(listed.toSorted())
  })

  it('P-501 whole words match, longer phrases win over shorter ones, and only commands that exist count', () => {
    expect(match(scenarios, 'Please SHOW me a  booking form!')?.id).toBe('booking-form')
    expect(match(scenarios, 'a form from hints, please')?.id).toBe('hints-form')
    expect(match(scenarios, 'metrics cards')?.id).toBe('kpi-grid')
    expect(match(scenarios, 'failed')?.id).toBe('failed')
    expect(match(scenarios, 'fail')?.id).toBe('failing-run')
    expect(match(scenarios, 'history')?.id).toBe('recall')
    expect(match(scenarios, 'this is thinkable')).toBeUndefined()
    expect(match(scenarios, '/nothing about tools')).toBeUndefined()
    expect(match(scenarios, '帮我显示预订表单')?.id).toBe('booking-form')
  })

  it('P-504 any other request is answered with what was written and with what would work', async () => {
    const { answer } = await play('# <script>alert(1)</script> ```` [x](javascript:1)')
    expect(answer).toContain('I am a script')
    expect(answer).toContain('`````text\n# <script>alert(1)</script> ```` [x](javascript:1)\n`````')
    expect(answer).toContain('/help')
    expect((await play('讲个故事')).answer).toContain('我是脚本')
  })

  it('P-501 help lists every request, and hello says that this is a script', async () => {
    const { answer } = await play('/help')
    for (const id of Object.keys(CHINESE)) expect(answer).toContain(`/${id}`)
    expect((await play('hi')).answer).toContain('scripted guide')
    expect((await play('你好')).answer).toContain('脚本向导')
    expect((await play('帮助')).answer).toContain('显示预订表单')
    expect(createGuide().scripted && createScout().scripted).toBe(true)
  })
})

describe('what the guide shows', () => {
  it('P-508 large output is stored, and the event carries its beginning and a reference', async () => {
    const { session: one, outputs } = await play('/tools')
    expect(one.stored.map(large => large.text.length)[0]).toBeGreaterThanOrEqual(200 * 1024)
    expect(ofType(outputs, 'tool.result').some(result => result.ref && result.preview)).toBe(true)
    const starts = outputs.findLastIndex(output => output.type === 'tool.started')
    const ends = outputs.findIndex(output => output.type === 'tool.result')
    expect(starts).toBeLessThan(ends)
  })

  it('P-510 an approval acts on what was decided: once, scope, edited, denied, expired', async () => {
    const decide = async (...answers: GivenResponse[]) => {
      const {
        session: one,
        outputs,
        answer,
      } = await play('/approval', {
        answer: () => answers.shift() ?? { outcome: 'denied', value: null },
      })
      return { asked: one.asked.length, results: ofType(outputs, 'tool.result').map(({ value }) => value), answer }
    }
    const both = { deleted: ['backup-2023.tar.gz', 'backup-2024.tar.gz'] }
    expect(await decide({ outcome: 'approved', value: null })).toMatchObject({ asked: 1, results: [both] })
    const scope: GivenResponse = { outcome: 'approved-for-scope', value: null }
    expect(await decide(scope, scope)).toMatchObject({
      asked: 2,
      results: [both, { deleted: ['backup-2022.tar.gz'] }],
    })
    const edited = await decide({ outcome: 'approved', value: { files: ['backup-2023.tar.gz'] } })
    expect(edited).toMatchObject({ results: [{ deleted: ['backup-2023.tar.gz'] }] })
    expect(edited.answer).toContain('your version')
    expect(await decide({ outcome: 'denied', value: null })).toMatchObject({ asked: 1, results: [] })
    expect((await decide({ outcome: 'expired', value: null })).answer).toContain('Nothing was deleted')
    const told = await decide({ outcome: 'denied', value: null, text: 'move them to the attic' })
    expect(told).toMatchObject({ asked: 1, results: [] })
    expect(told.answer).toContain('move them to the attic')
  })

  it('P-8608 P-8609 a plan is followed with the words and steps of the person, and words about it lead to another plan', async () => {
    const steps = [
      { id: 'draft', title: 'Draft it twice' },
      { id: 'added-5', title: 'Tell Jonas' },
    ]
    const answers: GivenResponse[] = [
      { outcome: 'answered', value: null, text: 'ask Jonas first' },
      { outcome: 'approved', value: { steps } },
    ]
    const { outputs, answer, session: one } = await play('/plan', { answer: () => answers.shift()! })
    expect(one.asked[1]).toMatchObject({ kind: 'plan', plan: [{ title: 'ask Jonas first' }, {}, {}, {}, {}] })
    expect(ofType(outputs, 'tool.started').map(({ title }) => title)).toEqual(['Draft it twice', 'Tell Jonas'])
    expect(answer).toContain('You took out 4')
    expect(answer).toContain('Draft it twice')
    expect(answer).toContain('You added: `Tell Jonas`')
  })

  it('P-510 answers are used as given, also when they are wrapped', async () => {
    expect(
      (await play('/question', { answer: () => ({ outcome: 'answered', value: { text: 'Bo' } }) })).answer,
    ).toContain('`Bo`')
    expect((await play('/choice')).answer).toContain('The sea')
    expect((await play('/form')).answer).toContain('`2026-03-15`')
    expect((await play('/correction')).answer).toContain('Canberra')
  })

  it('P-511 a plan is followed as the person edited it', async () => {
    const { outputs, session: one } = await play('/plan', {
      answer: () => ({ outcome: 'approved', value: ['draft', 'collect'] }),
    })
    expect(ofType(outputs, 'tool.started').map(({ name }) => name)).toEqual(['work.draft', 'work.collect'])
    expect(one.state.plan.final).toBe(true)
    expect(one.state.plan.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'draft done',
      'collect done',
      'group skipped',
      'estimate skipped',
    ])
  })

  it('P-512 a steer changes what the guide does from there on', async () => {
    const turned = await play('/steer', {
      steer: output => (output.type === 'text.delta' && output.delta.includes('boots') ? 'make it the sea' : undefined),
    })
    expect(turned.answer).toContain('So it is the **sea** now')
    expect(turned.answer).toContain('hiking boots')
    expect(turned.answer).toContain('after-sun lotion')
    expect(turned.session.state.steers.byId.get('steer1')?.state).toBe('consumed')
    const stopped = await play('/steer', { steer: (_output, count) => (count === 20 ? 'stop' : undefined) })
    expect(stopped.answer).toContain('Stopping here')
  })

  it('P-512 a steer that comes during any other answer is answered before the run ends', async () => {
    const cut = await play('/long-answer', { steer: (_output, count) => (count === 5 ? 'hello' : undefined) })
    expect(cut.answer).toContain('scripted guide')
    expect(cut.answer).not.toContain('Where to go from here')
    const slow = await play('/slow-work 600', {
      steer: output => (output.type === 'tool.output.delta' ? 'hello' : undefined),
    })
    expect(slow.answer).toContain('You steered')
  }, 15_000)

  it('P-513 a retried tool names the call it repeats and withdraws what was said too early', async () => {
    const { outputs, session: one } = await play('/retried-tool')
    const [first, second] = ofType(outputs, 'tool.started')
    expect(second?.retryOf).toBe(first?.toolCallId)
    const retracted = [...one.state.parts.byId.values()].find(part => part.state === 'retracted')!
    expect(one.state.parts.byId.get(retracted.replacedBy!)?.state).toBe('final')
  })

  it('P-515 shared state goes on from what is there, and leaves what others keep in it', async () => {
    const one = session()
    await play('/state', {}, one)
    one.append({ type: 'state.delta', patch: [{ op: 'add', path: '/other', value: 1 }] })
    expect((await play('/state', {}, one)).answer).toContain('2 times')
    expect(one.state.shared.value).toMatchObject({ value: { other: 1, guide: { visits: 2 } } })
  })

  it('P-517 numbers that a script cannot have are marked as simulated', async () => {
    for (const text of ['/metrics', '/reasoning']) {
      const { outputs, session: one } = await play(text)
      expect(ofType(outputs, 'metric.changed').every(({ values }) => values?.simulated === true)).toBe(true)
      expect(one.state.messages.byId.get('r1/m')?.metadata).toMatchObject({ simulated: true, usage: {} })
    }
  })

  it('P-518 stress sends as many pieces as asked for, and can be stopped', async () => {
    const { outputs, session: one } = await play('stress 3000')
    const first = ofType(outputs, 'text.delta').filter(({ partId }) => partId === 'p1')
    expect(first).toHaveLength(3000)
    expect(one.state.parts.byId.get('r1/m/p1')?.state).toBe('final')
    const stopped = await play('stress 200000', { abortAfter: 100 })
    expect(stopped.outputs.length).toBeLessThan(200)
  })

  it('P-519 the tour is a plan: it visits every chapter that is left in it, and can be skipped and stopped', async () => {
    const whole = await play('/tour')
    expect(whole.failure).toBeUndefined()
    expect(whole.session.state.plan.steps.map(({ status }) => status)).toEqual(Array(7).fill('done'))
    const seen = new Set<string>(whole.session.events.map(event => event.type))
    for (const type of [
      'reasoning.summary',
      'tool.output.delta',
      'tool.failed',
      'part.retracted',
      'action.resolved',
      'plan.final',
      'state.delta',
      'agent.completed',
      'context.compaction.completed',
      'metric.changed',
      'artifact.version.created',
      'evidence.changed',
      'diagnostic.changed',
    ])
      expect(seen).toContain(type)
    let skipped = false
    const skips = await play('/tour', {
      steer: output => {
        if (skipped || output.type !== 'reasoning.summary') return undefined
        skipped = true
        return 'skip this one'
      },
    })
    const statuses = skips.session.state.plan.steps.map(({ status }) => status)
    expect(statuses.filter(status => status === 'skipped')).toHaveLength(1)
    expect(statuses.filter(status => status === 'done')).toHaveLength(6)
    const part = await play('/tour requests')
    expect(part.session.state.plan.steps.map(({ id }) => id)).toEqual(['requests'])
    const stopped = await play('/tour', { steer: output => (output.type === 'reasoning.summary' ? 'stop' : undefined) })
    expect(stopped.answer).toContain('We stop here')
  }, 20_000)
})
