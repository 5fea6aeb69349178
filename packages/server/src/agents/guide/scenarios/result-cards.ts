import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { UiNode, UiStatus } from '@vitrine/genui/schema'
import type { ToolEnd, ToolStart } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { createdCard } from './tool-actions.ts'

/** A scenario with tools whose results carry UiHints. The runtime makes the cards. */
const card = (
  id: string,
  title: string,
  shows: string,
  example: string,
  triggers: string[],
  calls: [ToolStart, ToolEnd][],
  afterwards: string,
): Scenario => ({
  id,
  title,
  shows,
  example,
  triggers,
  async *play(_input, _context, say) {
    for (const [start, end] of calls) yield* say.tool(start, end)
    yield* say.text(afterwards)
  },
})

const hints = (rest: UiHintsPayload): ToolEnd => ({ uiHints: { version: '2.1', ...rest } })

const created = card(
  'created',
  'Card of something created',
  'a result as a card: something was created',
  'show a created card',
  ['created', 'created card', 'create an event', '已创建', '创建日程'],
  [
    [
      { name: 'calendar.create', title: 'Create an event', summary: 'Q1 planning', args: { title: 'Q1 planning' } },
      { value: { eventId: 'evt_abc123' }, uiHints: createdCard('evt_abc123') },
    ],
  ],
  'The card is described by a handful of words (UiHints) and drawn by the workbench. **Delete** asks first, then runs the tool and shows its result. *(Scripted: your calendar is safe.)*',
)

const failed = card(
  'failed',
  'Card of something that failed',
  'a result as a card: something failed, with the next steps',
  'show a failed card',
  ['failed', 'failed card', 'failure card', '失败卡片', '删除失败'],
  [
    [
      { name: 'user.delete', title: 'Delete the account', args: { userId: 'u1' } },
      hints({
        intent: 'status',
        status: 'error',
        title: 'The account was not deleted',
        body: 'You do not have the permission to do this.',
        actions: [
          {
            label: 'Try again',
            style: 'primary',
            action: { type: 'tool', toolId: 'user.delete', params: { userId: 'u1' } },
          },
          { label: 'Ask the administrator', action: { type: 'url', url: 'mailto:admin@example.com' } },
        ],
      }),
    ],
  ],
  'A failure says what happened and offers what you can do: **Try again** runs the tool once more, and that time it works.',
)

const list = card(
  'list',
  'List with states and actions',
  'a result as a list with icons, states and actions',
  'show a list',
  ['list', 'show a list', 'list of builds', '列表', '清单'],
  [
    [
      { name: 'builds.list', title: 'List the builds', args: { limit: 4 } },
      hints({
        intent: 'list',
        title: 'Latest builds',
        description: 'Newest first',
        listItems: [
          {
            id: 'b4',
            title: 'main #204',
            subtitle: '2 minutes ago',
            status: 'pending',
            icon: { source: 'icon', value: 'loader' },
          },
          {
            id: 'b3',
            title: 'main #203',
            subtitle: '1 hour ago',
            status: 'success',
            icon: { source: 'icon', value: 'check' },
          },
          {
            id: 'b2',
            title: 'fix/login #202',
            subtitle: '3 hours ago',
            description: 'Two browser tests timed out.',
            status: 'error',
            icon: { source: 'icon', value: 'x' },
            actions: [
              {
                label: 'Restart',
                action: { type: 'tool', toolId: 'build.restart', params: { build: 'fix/login #202' } },
              },
              {
                label: 'Copy name',
                style: 'ghost',
                action: { type: 'copy', content: 'fix/login #202', successMessage: 'Copied' },
              },
            ],
          },
          {
            id: 'b1',
            title: 'docs #201',
            subtitle: 'yesterday',
            status: 'warning',
            icon: { source: 'emoji', value: '📚' },
          },
        ],
      }),
    ],
  ],
  'Each row has its own state and actions. Try **Restart** on the failed one.',
)

const kpi = (title: string, value: string, status?: UiStatus): UiNode => ({
  type: 'stack',
  direction: 'vertical',
  appearance: 'card',
  children: [
    { type: 'text', content: title, role: 'caption' },
    { type: 'text', content: value, role: 'title', ...(status && { status }) },
  ],
})

const kpiGrid = card(
  'kpi-grid',
  'Figures with a chart',
  'figures as a grid of cards, with a chart',
  'show a KPI grid',
  ['kpi', 'kpi grid', 'metrics cards', 'metric cards', 'figures', 'chart', '指标', '指标卡', '图表'],
  [
    [
      { name: 'figures.today', title: 'Read today’s figures' },
      {
        value: { orders: 128, open: 24, revenue: 8640 },
        ui: {
          version: '2.0',
          locale: 'en',
          status: 'info',
          theme: 'default',
          root: {
            type: 'grid',
            columns: 3,
            gap: 16,
            appearance: 'plain',
            children: [kpi('Orders today', '128'), kpi('Open', '24', 'warning'), kpi('Revenue', '€ 8,640', 'success')],
          },
        },
      },
    ],
    [
      { name: 'figures.week', title: 'Read the week' },
      hints({
        intent: 'data',
        title: 'Orders this week',
        chart: {
          kind: 'bar',
          labels: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
          series: [{ name: 'Orders', data: [96, 104, 88, 131, 128] }],
        },
        table: {
          columns: ['Day', 'Orders'],
          rows: [
            ['Mon', 96],
            ['Tue', 104],
            ['Wed', 88],
            ['Thu', 131],
            ['Fri', 128],
          ],
        },
      }),
    ],
  ],
  'The grid is a UI Schema document, the chart below it comes from hints. Both are plain data: nothing I send can run in your browser. *(Scripted figures.)*',
)

const sections = card(
  'sections',
  'Profile with settings',
  'a result in sections: a profile with settings',
  'show sections',
  ['sections', 'section', 'profile card', 'profile', '分区', '分组', '个人资料'],
  [
    [
      { name: 'profile.read', title: 'Read the profile', args: { userId: 'u7' } },
      hints({
        intent: 'mixed',
        title: 'Ada Lovelace',
        description: 'Member since 2019',
        icon: { source: 'emoji', value: '👩‍💻' },
        sections: [
          {
            title: 'Contact',
            items: [
              { key: 'email', label: 'Email', value: 'ada@example.com', copyable: true },
              { key: 'phone', label: 'Phone', value: '+44 20 7946 0958', copyable: true },
            ],
          },
          {
            title: 'About',
            content: 'Writes programs for machines that **do not exist yet**.',
            contentFormat: 'markdown',
          },
          {
            title: 'Account',
            actions: [
              { label: 'Settings', action: { type: 'navigation', path: '/settings/account' } },
              { label: 'Documentation', style: 'ghost', action: { type: 'url', url: 'https://example.com/help' } },
            ],
          },
        ],
      }),
    ],
  ],
  'Sections group what belongs together; values marked for it can be copied with one press.',
)

const formFromHints = card(
  'hints-form',
  'Form that is checked before it is sent',
  'a form described by hints, checked before it is sent',
  'show a form from hints',
  ['form from hints', 'hints form', 'contact form', 'feedback form', '提示表单', '反馈表单', '联系表单'],
  [
    [
      { name: 'feedback.form', title: 'Prepare a form' },
      hints({
        intent: 'form',
        title: 'Tell us what you think',
        fields: [
          { key: 'name', label: 'Name', type: 'text', required: true, maxLength: 80 },
          { key: 'email', label: 'Email', type: 'email', required: true, placeholder: 'you@example.com' },
          { key: 'rating', label: 'Rating (1 to 5)', type: 'integer', min: 1, max: 5, required: true },
          {
            key: 'topic',
            label: 'Topic',
            type: 'select',
            options: [
              { value: 'ui', label: 'Interface' },
              { value: 'speed', label: 'Speed' },
              { value: 'other', label: 'Something else' },
            ],
          },
          { key: 'comment', label: 'Comment', type: 'multiline', rows: 3, maxLength: 500 },
        ],
        actions: [{ label: 'Send', style: 'primary', action: { type: 'payload', payload: { form: 'feedback' } } }],
      }),
    ],
  ],
  'Fill it in and press **Send**. Leave the name out or give a rating of 9 first: the form tells you before anything is sent.',
)

export const resultCards: readonly Scenario[] = [created, failed, list, kpiGrid, sections, formFromHints]
