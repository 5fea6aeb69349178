import type { ActionRequest, EventDraft } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { ActionCard } from './action-card.tsx'
import { DockedRequest } from './docked-request.tsx'

const asked = (request: ActionRequest) =>
  fakeSession().add(started(), { type: 'action.required', runId: 'r1', actionId: 'a1', request })
const card = (session: ReturnType<typeof fakeSession>) => draw(<ActionCard handle={session.handle} actionId="a1" />)
const buttons = (html: string) =>
  [...html.matchAll(/<button[^>]*>(?:<svg(?:(?!<\/svg>).)*<\/svg>)?([^<]+)<\/button>/g)].map(hit => hit[1])

describe('what a run needs from a person', () => {
  const approval: ActionRequest = {
    kind: 'approval',
    title: 'Delete 2 files?',
    risk: 'high',
    scope: { key: 'files', label: 'deleting files here' },
    args: { files: ['a'] },
  }

  it('P-250 an approval offers deny first, then once, for the scope, and other arguments; deny is the safe choice', () => {
    const html = card(asked(approval))
    expect(buttons(html)).toEqual(['Don’t allow', 'Allow once', 'Always allow in this session', 'Edit first'])
    expect(html).toMatch(/<button[^>]*data-safe="true"[^>]*>Don’t allow/)
    expect(html).toContain('High risk')
    expect(html).toContain('deleting files here')
  })

  it('P-8657 out of view it is allowed from its line only when all of what would change can be seen', () => {
    const change = { path: 'a.ts', before: 'old', after: 'new' }
    const line = (request: Partial<ActionRequest>) => {
      const { handle } = asked({ kind: 'approval', title: 'Edit a file?', ...request })
      return buttons(draw(<DockedRequest handle={handle} hidden={['a1']} onShow={() => {}} />)).slice(1)
    }
    expect(line({ changes: [change] })).toEqual(['Don’t allow', 'Allow once'])
    expect(line({ changes: [change], moreChanges: 2 })).toEqual(['Don’t allow', 'Review'])
    expect(line({ changes: [{ ...change, cut: { before: 0, after: 9 } }] })).toEqual(['Don’t allow', 'Review'])
    expect(line({ risk: 'high' })).toEqual(['Don’t allow', 'Review'])
  })

  it('AU-34 L6 it folds to one line when the runtime says that it is resolved, not before', () => {
    const session = asked(approval)
    expect(card(session)).toContain('Allow once')
    session.add({
      type: 'action.resolved',
      actionId: 'a1',
      outcome: 'denied',
      by: { kind: 'local', id: 'local', name: '' },
    })
    const html = card(session)
    expect(html).toContain('<details')
    expect(html).toMatch(/You did not allow<\/strong> Delete 2 files/)
    expect(buttons(html)).toEqual([])
  })

  it('P-277 the line of what was decided says by what, and whether something was changed', () => {
    const resolved = { type: 'action.resolved', actionId: 'a1', outcome: 'approved' } as const
    const policy = card(asked(approval).add({ ...resolved, by: { kind: 'policy', id: 'perm', name: 'Delete files' } }))
    expect(policy).toContain('Always allowed')
    expect(policy).not.toMatch(/You allowed|by a permission/)
    expect(
      card(asked(approval).add({ ...resolved, by: { kind: 'local', id: 'local', name: '' }, response: { files: [] } })),
    ).toContain('You allowed with changes')
    expect(card(asked(approval).add({ ...resolved, by: { kind: 'local', id: 'local', name: '' } }))).toContain(
      'You allowed</strong> Delete 2 files, once',
    )
  })

  it('L4 L8 a request whose run ended without an answer is neither approved nor denied', () => {
    const session = asked(approval).add({ type: 'run.finished', runId: 'r1', outcome: 'interrupted' })
    expect(card(session)).toContain('Ended without an answer')
  })

  it('P-251 a choice has its options, a form its fields, a plan its steps, a correction its text', () => {
    const options = [{ value: 'sea', label: 'The sea', detail: 'salt' }]
    expect(card(asked({ kind: 'choice', title: 'Where?', options }))).toMatch(/type="radio".*The sea.*salt/s)
    expect(card(asked({ kind: 'choice', title: 'Where?', options, multiple: true }))).toContain('type="checkbox"')
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', title: 'Guests' } } }
    expect(card(asked({ kind: 'form', title: 'Table', schema }))).toMatch(
      /<label[^>]*>Guests<\/label>.*inputMode="numeric"/s,
    )
    expect(card(asked({ kind: 'plan', title: 'Go?', plan: [{ id: '1', title: 'Collect' }] }))).toContain(
      'aria-label="Collect"',
    )
    expect(card(asked({ kind: 'correction', title: 'Check', args: 'wrnog' }))).toContain('wrnog</textarea>')
    expect(buttons(card(asked({ kind: 'question', title: 'Name?' })))).toEqual(['Answer', 'Skip'])
  })

  it('P-8604 P-9404 high risk asks for a typed word in quotes: nothing allows it before', () => {
    const html = card(asked(approval))
    expect(html).toContain('Type “allow” to go on')
    for (const name of ['Allow once', 'Always allow in this session']) {
      expect(html).toMatch(new RegExp(`<button[^>]*disabled=""[^>]*>${name}`))
    }
    expect(card(asked({ ...approval, risk: 'medium' }))).not.toContain('to go on')
  })

  it('P-8606 P-8656 an answered request says in words what was answered, by whom, and opens to what was asked', () => {
    const by = { kind: 'local', id: 'local', name: '' } as const
    const line = (request: ActionRequest, resolved: object) =>
      card(asked(request).add({ type: 'action.resolved', actionId: 'a1', by, ...resolved } as EventDraft))
    const options = [
      { value: 'sea', label: 'The sea' },
      { value: 'mountains', label: 'The mountains' },
    ]
    const choice: ActionRequest = { kind: 'choice', title: 'Where?', options }
    const plan: ActionRequest = {
      kind: 'plan',
      title: 'Start?',
      plan: [
        { id: '1', title: 'Collect' },
        { id: '2', title: 'Group' },
      ],
    }
    const answered = { outcome: 'answered' }
    expect(line(choice, { ...answered, response: 'mountains' })).toMatch(
      /You chose<\/strong> The mountains<span[^>]*> Where\?/,
    )
    expect(line(choice, { ...answered, text: 'A lake' })).toContain('You answered</strong> A lake')
    expect(line(choice, { outcome: 'denied' })).toContain('You skipped</strong> Where')
    expect(line({ kind: 'question', title: 'Name?' }, { ...answered, response: 'Ada' })).toContain(
      'You answered</strong> Ada',
    )
    expect(line(approval, { outcome: 'denied', text: 'Move them' })).toContain(
      'You did not allow</strong> Delete 2 files: Move them',
    )
    expect(line(plan, { outcome: 'approved' })).toContain('You approved the plan</strong> Start')
    const steps = [
      { id: '2', title: 'Group by topic' },
      { id: 'added-3', title: 'Publish' },
    ]
    expect(line(plan, { outcome: 'approved', response: { steps } })).toContain('with 3 changes')
    expect(line(plan, { outcome: 'denied', by: { ...by, kind: 'person', name: 'Ada' } })).toContain(
      'Ada did not start the plan',
    )
    expect(line(approval, { outcome: 'expired', by: { ...by, kind: 'system' } })).toMatch(
      /Ran out<\/strong> Delete 2 files\? No answer for \d/,
    )
  })

  it('P-8607 a request of an agent that works inside the run of another one names that agent', () => {
    const session = fakeSession().add(
      started(),
      { type: 'agent.spawned', runId: 'r1', messageId: 'm1', partId: 'p1', subagentId: 'c1', name: 'Scout' },
      {
        type: 'action.required',
        runId: 'r1',
        messageId: 'm2',
        partId: 'p2',
        subagentId: 'c1',
        actionId: 'a1',
        request: { kind: 'question', title: 'Which shelf?' },
      },
    )
    expect(card(session)).toContain('Scout asks')
    expect(card(asked(approval))).not.toContain('asks')
  })

  it('P-252 what expires says when, and what happens then', () => {
    expect(card(asked({ ...approval, expiresAt: Date.now() + 42_000 }))).toMatch(/Not allowed in 4[123]\ss/)
  })

  it('C08 a title cannot hide what it asks for', () => {
    expect(card(asked({ ...approval, title: 'Delete \u202Etxt.a' }))).toContain('U+202E')
  })

  it('C08 P-283 neither can its detail, the name of the permission, an option or who decided', () => {
    const odd = 'Delete \u202Etxt.a'
    const scope = { key: 'files', label: odd }
    const options = [{ value: odd, label: odd, detail: odd }]
    const schema = { type: 'object', properties: { n: { title: odd, description: odd, enum: [odd] } } }
    const drawn = [
      card(asked({ ...approval, detail: odd, scope })),
      card(asked({ kind: 'choice', title: odd, options })),
      card(asked({ kind: 'form', title: odd, schema })),
      card(asked({ kind: 'plan', title: odd, plan: [{ id: '1', title: odd, detail: odd }] })),
      card(
        asked({ ...approval, title: odd }).add({
          type: 'action.resolved',
          actionId: 'a1',
          outcome: 'denied',
          by: { kind: 'person', id: 'p', name: odd },
        }),
      ),
    ]
    expect(drawn[0]).toContain('<p dir="auto">Delete ⟦U+202E⟧txt.a</p>')
    for (const html of drawn) {
      expect(html).toContain('U+202E')
      expect(html.replaceAll(/ value="[^"]*"/g, '')).not.toContain('\u202e')
    }
  })
})
