import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { JsonObject } from '@vitrine/protocol'
import type { AgentContext } from '../../agent.ts'
import { valueTable, words } from '../markdown.ts'
import type { Outputs, Say } from '../say.ts'

export type ToolAction = (params: JsonObject, context: AgentContext, say: Say) => Outputs

/** The tools that buttons of result cards name. The card has already asked for confirmation, so they act at once. */
export const toolActions: Readonly<Record<string, ToolAction>> = {
  async *'calendar.delete'(params, _context, say) {
    const eventId = words(params.eventId)
    yield* say.tool(
      { name: 'calendar.delete', title: 'Delete the event', summary: eventId, args: params },
      {
        value: { deleted: eventId },
        uiHints: {
          version: '2.1',
          intent: 'status',
          status: 'success',
          title: 'Event deleted',
          body: 'It is no longer in the calendar. Nobody was invited, so nobody was told.',
          items: [{ key: 'eventId', label: 'Event', value: eventId, copyable: true }],
          actions: [
            {
              label: 'Put it back',
              style: 'secondary',
              action: { type: 'tool', toolId: 'calendar.create', params: { eventId } },
            },
          ],
        },
      },
    )
    yield* say.text('Deleted. You had confirmed it on the card, so I did not ask a second time. *(Scripted.)*')
  },

  async *'calendar.create'(params, _context, say) {
    const eventId = words(params.eventId) || 'evt_q1'
    yield* say.tool(
      { name: 'calendar.create', title: 'Create the event', summary: 'Planning meeting', args: params },
      { value: { eventId }, uiHints: createdCard(eventId) },
    )
    yield* say.text('It is in the calendar. *(Scripted.)*')
  },

  async *'user.delete'(params, _context, say) {
    yield* say.tool(
      { name: 'user.delete', title: 'Delete the account, second try', args: params },
      {
        value: { deleted: true },
        uiHints: {
          version: '2.1',
          intent: 'status',
          status: 'success',
          title: 'Account deleted',
          body: 'This time the permission was there.',
          items: [{ key: 'userId', label: 'Account', value: words(params.userId) }],
        },
      },
    )
    yield* say.text('The second try worked. *(Scripted: no account was touched.)*')
  },

  async *'build.restart'(params, _context, say) {
    yield* say.tool(
      { name: 'build.restart', title: 'Restart the build', summary: words(params.build), args: params },
      {
        value: { restarted: true },
        uiHints: {
          version: '2.1',
          intent: 'status',
          status: 'pending',
          title: 'Build restarted',
          progress: { value: 5, max: 100, label: 'Installing' },
          items: [{ key: 'build', label: 'Build', value: words(params.build) }],
        },
      },
    )
    yield* say.text('The build is running again. *(Scripted.)*')
  },

  async *'form.submit'(values, _context, say) {
    const entries = Object.entries(values).filter(([name]) => name !== 'form')
    yield* say.tool(
      { name: 'form.submit', title: 'Save the answers', args: values },
      {
        value: values,
        uiHints: {
          version: '2.1',
          intent: 'status',
          status: 'success',
          title: 'Received',
          items: entries.slice(0, 30).map(([name, value]) => ({ key: name, label: name, value: value as JsonObject })),
        },
      },
    )
    yield* say.text(`Thank you! Your form reached me with these values:

${valueTable(entries)}`)
  },
}

export const createdCard = (eventId: string): UiHintsPayload => ({
  version: '2.1',
  intent: 'status',
  status: 'success',
  title: 'Event created',
  body: 'The planning meeting is in the calendar.',
  icon: { source: 'icon', value: 'calendar-check' },
  items: [
    { key: 'title', label: 'Subject', value: 'Q1 planning' },
    { key: 'time', label: 'Time', value: '2026-03-15 14:00' },
    { key: 'id', label: 'Event', value: eventId, copyable: true },
  ],
  actions: [
    {
      label: 'Open',
      style: 'primary',
      action: { type: 'navigation', path: `/calendar/${encodeURIComponent(eventId)}` },
    },
    {
      label: 'Delete',
      style: 'danger',
      confirm: { message: 'Delete this event? It cannot be undone.', label: 'Delete' },
      action: { type: 'tool', toolId: 'calendar.delete', params: { eventId } },
    },
  ],
})
