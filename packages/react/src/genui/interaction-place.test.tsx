import { hintsToSchema } from '@vitrine/genui/hints'
import type { EventDraft, Interaction, JsonObject } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { draw } from '../fixtures/draw.tsx'
import { fakeSession, started } from '../fixtures/session.ts'
import { Message } from '../views/message.tsx'
import { interactionOf, interactionsOf, runOf, toolsOf } from './interaction-place.ts'
import { ToolUi } from './tool-ui.tsx'

const remove = { type: 'tool', toolId: 'calendar.delete', params: { eventId: 'e1' } }
const send = { type: 'payload', payload: { form: 'feedback' } }
const ui = hintsToSchema(
  {
    title: 'Event created',
    actions: [
      { label: 'Delete', style: 'danger', action: remove },
      { label: 'Send', action: send },
    ],
  },
  { ids: true },
) as unknown as JsonObject

const call = (runId: string, toolCallId: string, name: string): EventDraft => ({
  type: 'tool.started',
  runId,
  messageId: `answer-${runId}`,
  partId: toolCallId,
  toolCallId,
  name,
})
const result = (runId: string, toolCallId: string): EventDraft => ({ type: 'tool.result', runId, toolCallId, ui })
const done = (runId: string): EventDraft => ({ type: 'run.finished', runId, outcome: 'completed' })
const used = (action: object, cardId = 'card', values?: JsonObject): Interaction =>
  ({ kind: 'ui_schema', action, toolCallId: cardId, ...(values && { values }) }) as Interaction
const acted = (runId: string, turnId: string, interaction: Interaction): EventDraft =>
  ({ ...started(runId, turnId), input: { text: '', interaction } }) as EventDraft

/** A session with a finished card. */
const withCard = () => fakeSession().add(started(), call('r1', 'card', 'show_ui'), result('r1', 'card'), done('r1'))
const ids = (tools: { toolCallId: string }[]) => tools.map(({ toolCallId }) => toolCallId)

describe('where the run of an action is shown', () => {
  it('US-70 at the card that the message names, found again from facts', () => {
    const { state, handle } = withCard().add(
      acted('r2', 'press', used(remove)),
      call('r2', 'deleted', 'calendar.delete'),
      call('r2', 'other', 'search'),
    )
    const [sent, ...more] = interactionsOf(state, 'card')
    expect(more).toEqual([])
    expect(sent).toMatchObject({ key: 'press', how: 'turn', kind: 'tool' })
    expect(runOf(state, sent!)?.runId).toBe('r2')
    expect(ids(toolsOf(state, sent!))).toEqual(['deleted', 'other'])
    expect(interactionOf(state, state.tools.byId.get('card')!)).toBeUndefined()
    const html = draw(<ToolUi handle={handle} toolCallId="card" />)
    expect(html).toContain('aria-label="What came of it"')
    expect(html.split('class="v-tool"')).toHaveLength(3)
  })

  it('US-70 one interface at a time: in the conversation its row points to the card', () => {
    const { handle } = withCard().add(
      acted('r2', 'press', used(remove)),
      call('r2', 'deleted', 'calendar.delete'),
      result('r2', 'deleted'),
    )
    const html = draw(<ToolUi handle={handle} toolCallId="deleted" />)
    expect(html).toContain('The result is shown at the card you used')
    expect(html).not.toContain('Event created')
  })

  it('US-70 a payload says in a line how it stands: queued, at work, done, failed', () => {
    const session = withCard()
    const line = () =>
      /data-status="[a-z]+".*?<\/p>/.exec(draw(<ToolUi handle={session.handle} toolCallId="card" />))?.[0]
    expect(line()).toBeUndefined()
    const turn = { turnId: 'press', input: { text: '', interaction: used(send) }, preview: '…', createdAt: 1 }
    session.add({ type: 'queue.changed', change: 'added', turnId: 'press', turn })
    expect(line()).toContain('data-status="queued"')
    session.add({ type: 'queue.changed', change: 'started', turnId: 'press' } as EventDraft)
    session.add(acted('r2', 'press', used(send)), { type: 'run.status', runId: 'r2', status: 'streaming' })
    expect(line()).toContain('data-status="streaming"')
    expect(line()).toContain('Send')
    session.add(call('r2', 'received', 'show_ui'), result('r2', 'received'))
    expect(interactionOf(session.state, session.state.tools.byId.get('received')!)).toBeUndefined()
    session.add(done('r2'))
    expect(line()).toContain('Sent to the agent. The agent answered.')
    expect(line()).not.toContain('Completed')
    const error = { code: 'agent_failed', message: 'The form is closed.' }
    session.add(acted('r3', 'again', used(send)), { type: 'run.failed', runId: 'r3', error } as EventDraft)
    expect(line()).toContain('The form is closed.')
  })

  it('P-280 a tool that the agent was asked to run is not said to have run when the log shows no call of it', () => {
    const session = withCard().add(acted('r2', 'press', used(remove)))
    const drawn = () => draw(<ToolUi handle={session.handle} toolCallId="card" />)
    expect(drawn()).toContain('Asked the agent to run calendar.delete.')
    session.add(call('r2', 'other', 'search'), result('r2', 'other'), done('r2'))
    expect(drawn()).toContain('The agent answered, and the log shows no call of calendar.delete.')
    expect(drawn()).not.toMatch(/v-dot-good" role="img" aria-label="Asked/)
    session.add(acted('r3', 'again', used(remove)), call('r3', 'deleted', 'calendar.delete'), done('r3'))
    expect(drawn().match(/<span[^>]*>[^<]*no call of calendar.delete/g)).toHaveLength(1)
  })

  it('US-70 a run that was steered shows the calls that the action named', () => {
    const session = fakeSession().add(started(), call('r1', 'card', 'show_ui'), result('r1', 'card'))
    const { state } = session.add(
      { type: 'steer.accepted', runId: 'r1', steerId: 'press', text: '', interaction: used(remove) },
      call('r1', 'before', 'search'),
    )
    const sent = interactionsOf(state, 'card')[0]!
    expect(sent.how).toBe('steer')
    expect(runOf(state, sent)).toBeUndefined()
    expect(draw(<ToolUi handle={session.handle} toolCallId="card" />)).toContain(
      'Asked the agent to run calendar.delete.',
    )
    session.add(
      { type: 'steer.consumed', runId: 'r1', steerId: 'press', messageId: 'answer-r1', partId: 'steer' },
      call('r1', 'deleted', 'calendar.delete'),
    )
    expect(runOf(state, sent)?.runId).toBe('r1')
    expect(ids(toolsOf(state, sent))).toEqual(['deleted'])
  })

  it('US-70 a steer that the run did not take is the turn that it became, once', () => {
    const session = fakeSession().add(started(), call('r1', 'card', 'show_ui'), result('r1', 'card'))
    const { state } = session.add(
      { type: 'steer.accepted', runId: 'r1', steerId: 'press', text: '', interaction: used(remove) },
      {
        type: 'steer.rejected',
        runId: 'r1',
        steerId: 'press',
        reason: { code: 'run_over', message: '' },
      } as EventDraft,
      done('r1'),
      acted('r2', 'press~turn', used(remove)),
    )
    expect(interactionsOf(state, 'card').map(({ key, how }) => `${how} ${key}`)).toEqual(['turn press~turn'])
  })

  it('US-70 what has no earlier card to stand at is shown where it happened', () => {
    const { state } = withCard().add(
      acted('r2', 'a', used(remove, 'gone')),
      call('r2', 't2', 'calendar.delete'),
      done('r2'),
      acted('r3', 'b', used(remove, 't3')),
      call('r3', 't3', 'calendar.delete'),
      result('r3', 't3'),
      done('r3'),
      { ...acted('r5', 'd', used(remove)), input: { text: 'typed' } } as EventDraft,
      call('r5', 't5', 'calendar.delete'),
    )
    for (const id of ['t2', 't3', 't5']) expect(interactionOf(state, state.tools.byId.get(id)!), id).toBeUndefined()
  })
})

describe('what a person did in an interface, in the conversation', () => {
  const message = (session: ReturnType<typeof fakeSession>, id: string) =>
    draw(<Message handle={session.handle} messageId={id} />)

  it('US-75 a form that was sent is a line with the name of its button, never the raw text', () => {
    const html = message(withCard().add(acted('r2', 'press', used(send, 'card', { name: 'Ada' }))), 'm-press')
    expect(html).toContain('You clicked Send')
    expect(html).toContain('<details')
    expect(html).not.toMatch(/\[ui\.action\]|toolCallId|v-user-text/)
  })

  it('US-75 a button that was pressed is named; what is no longer known is not guessed', () => {
    const session = withCard().add(acted('r2', 'press', used(remove)), done('r2'))
    expect(message(session, 'm-press')).toContain('You clicked Delete')
    session.add(acted('r3', 'lost', used({ type: 'tool', toolId: 'x' }, 'gone')), done('r3'))
    expect(message(session, 'm-lost')).toContain('You clicked a button')
  })

  it('US-75 a surface is named by its component, also where it steered a run', () => {
    const session = fakeSession().add(started(), {
      type: 'surface.changed',
      runId: 'r1',
      surfaceId: 'booking',
      messageId: 'answer-r1',
      partId: 'surface',
      ops: [
        { op: 'create', root: 'root' },
        { op: 'upsert', id: 'send', component: { type: 'Button', child: 'words' } },
        { op: 'upsert', id: 'words', component: { type: 'Text', text: 'Book it' } },
      ],
    } as EventDraft)
    const click = { surfaceId: 'booking', componentId: 'send', eventType: 'click', payload: {} } as const
    session.add(
      { type: 'steer.accepted', runId: 'r1', steerId: 's', text: '', interaction: { kind: 'a2ui', ...click } },
      { type: 'steer.consumed', runId: 'r1', steerId: 's', messageId: 'answer-r1', partId: 'steer' },
    )
    const html = message(session, 'answer-r1')
    expect(html).toContain('You clicked Book it')
    expect(html).not.toContain('[a2ui.action]')
  })

  it('A2-259 a change of a field is one quiet line that says what was changed, and not a click', () => {
    const session = fakeSession().add(
      started(),
      {
        type: 'surface.changed',
        runId: 'r1',
        surfaceId: 'booking',
        messageId: 'answer-r1',
        partId: 'surface',
        ops: [
          { op: 'create', root: 'root' },
          {
            op: 'upsert',
            id: 'room',
            component: { type: 'Select', label: 'Room', options: [{ value: 'd', label: 'Double' }] },
          },
          { op: 'upsert', id: 'news', component: { type: 'Checkbox', label: 'Newsletter' } },
        ],
      } as EventDraft,
      done('r1'),
    )
    const change = (componentId: string, value: string | boolean): Interaction =>
      ({ kind: 'a2ui', surfaceId: 'booking', componentId, eventType: 'change', payload: { value } }) as Interaction
    session.add(acted('r2', 'room', change('room', 'd')), done('r2'))
    session.add(acted('r3', 'news', change('news', true)), done('r3'))
    session.add(acted('r4', 'gone', change('gone', '')), done('r4'))
    expect(message(session, 'm-room')).toContain('You set Room to Double')
    expect(message(session, 'm-news')).toContain('You ticked Newsletter')
    expect(message(session, 'm-gone')).toContain('You emptied a field')
    for (const id of ['m-room', 'm-news', 'm-gone']) expect(message(session, id)).not.toMatch(/You clicked|v-user-text/)
  })

  it('US-75 what a person typed stays as they typed it', () => {
    const typed = { ...started('r2', 't2'), input: { text: '[ui.action] typed' } } as EventDraft
    expect(message(fakeSession().add(typed), 'm-t2')).toContain('[ui.action]')
  })
})
