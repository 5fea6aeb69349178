import type { ActionRequest } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { ActionCard } from './action-card.tsx'

const asked = (request: ActionRequest) =>
  fakeSession().add(started(), { type: 'action.required', runId: 'r1', actionId: 'a1', request })
const card = (session: ReturnType<typeof fakeSession>) => draw(<ActionCard handle={session.handle} actionId="a1" />)
const buttons = (html: string) =>
  [...html.matchAll(/<button[^>]*>(?:<svg.*?<\/svg>)?([^<]+)<\/button>/g)].map(hit => hit[1])

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
    expect(buttons(html)).toEqual(['Deny', 'Approve once', 'Approve for this scope', 'Edit arguments…'])
    expect(html).toMatch(/<button[^>]*data-safe="true"[^>]*>Deny/)
    expect(html).toContain('High risk')
    expect(html).toContain('deleting files here')
  })

  it('AU-34 L6 it folds to one line when the runtime says that it is resolved, not before', () => {
    const session = asked(approval)
    expect(card(session)).toContain('Approve once')
    session.add({
      type: 'action.resolved',
      actionId: 'a1',
      outcome: 'denied',
      by: { kind: 'local', id: 'local', name: '' },
    })
    const html = card(session)
    expect(html).toContain('<details')
    expect(html).toMatch(/Denied.*Delete 2 files\?.*by you/s)
    expect(buttons(html)).toEqual([])
  })

  it('P-277 the line of what was decided says by what, and whether something was changed', () => {
    const resolved = { type: 'action.resolved', actionId: 'a1', outcome: 'approved' } as const
    const policy = card(asked(approval).add({ ...resolved, by: { kind: 'policy', id: 'perm', name: 'Delete files' } }))
    expect(policy).toContain('Approved by a remembered permission')
    expect(policy).not.toMatch(/Approved once|by a permission/)
    expect(
      card(asked(approval).add({ ...resolved, by: { kind: 'local', id: 'local', name: '' }, response: { files: [] } })),
    ).toContain('Approved with changes')
    expect(card(asked(approval).add({ ...resolved, by: { kind: 'local', id: 'local', name: '' } }))).toContain(
      'Approved once',
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
    expect(card(asked({ kind: 'plan', title: 'Go?', plan: [{ id: '1', title: 'Collect' }] }))).toContain('1. Collect')
    expect(card(asked({ kind: 'correction', title: 'Check', args: 'wrnog' }))).toContain('wrnog</textarea>')
    expect(buttons(card(asked({ kind: 'question', title: 'Name?' })))).toEqual(['Answer', 'Decline'])
  })

  it('P-252 what expires says when, and what happens then', () => {
    expect(card(asked({ ...approval, expiresAt: Date.now() + 42_000 }))).toMatch(/Denied in 4[123]s/)
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
    expect(drawn[0]).toContain('<p>Delete [U+202E]txt.a</p>')
    for (const html of drawn) {
      expect(html).toContain('U+202E')
      expect(html.replaceAll(/ value="[^"]*"/g, '')).not.toContain('\u202e')
    }
  })
})
