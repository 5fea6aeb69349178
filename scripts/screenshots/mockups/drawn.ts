// The drawn screen of interfaces that an agent sends: a form as A2UI, figures, a chart and a table as UI Schema, results as
// UiHints.
import type { UiHintsPayload } from '@vitrine/genui/hints'
import type { UiNode, UiSchemaRenderer, UiStatus } from '@vitrine/genui/schema'
import type { AgentContext, AgentOutput } from '@vitrine/server'
import { begin, ended } from '../../../apps/workbench/e2e/harness.ts'
import { type Scene, toTop } from './scenes.ts'

const node = (id: string, type: string, props: object, children?: object[]) => ({
  id,
  type,
  props,
  ...(children && { children }),
})
const named = (...labels: string[]) => labels.map(label => ({ value: label, label }))

const SETTINGS = {
  version: 'v0.9',
  createSurface: {
    surfaceId: 'forecast',
    catalogId: 'https://a2ui.org/specification/v0_9/basic_catalog.json',
    root: node('root', 'Column', {}, [
      node('title', 'Heading', { text: 'Forecast settings', level: 3 }),
      node('first', 'Row', {}, [
        node('month', 'Select', {
          label: 'Month',
          options: named('June 2025', 'July 2025'),
          value: { path: '/month' },
        }),
        node('currency', 'Select', {
          label: 'Currency',
          options: named('Euro', 'Krona'),
          value: { path: '/currency' },
        }),
      ]),
      node('regions', 'ChoicePicker', {
        label: 'Regions',
        variant: 'multipleSelection',
        displayStyle: 'chips',
        options: named('North', 'South', 'West', 'East', 'Online'),
        value: { path: '/regions' },
      }),
      node('second', 'Row', {}, [
        node('growth', 'TextField', { label: 'Growth, % per month', value: { path: '/growth' } }),
        node('without', 'TextField', { label: 'Leave out', value: { path: '/without' } }),
      ]),
      node('send', 'Button', { text: 'Start forecast' }),
    ]),
    dataModel: {
      month: 'June 2025',
      currency: 'Euro',
      regions: ['North', 'South', 'West'],
      growth: '2.5',
      without: 'Gift cards',
    },
  },
}

const figure = (title: string, value: string, change: string, status: UiStatus): UiNode => ({
  type: 'stack',
  direction: 'vertical',
  appearance: 'card',
  children: [
    { type: 'text', content: title, role: 'caption' },
    { type: 'text', content: value, role: 'title' },
    { type: 'text', content: change, role: 'caption', status },
  ],
})
const FIGURES: UiSchemaRenderer = {
  version: '2.0',
  locale: 'en',
  status: 'info',
  theme: 'default',
  root: {
    type: 'grid',
    columns: 3,
    gap: 12,
    appearance: 'plain',
    children: [
      figure('Revenue', '€412k', '+6.1%', 'success'),
      figure('Orders', '7,930', '+4.4%', 'success'),
      figure('Margin', '38.2%', '−0.6', 'error'),
    ],
  },
}
const FORECAST: UiHintsPayload = {
  version: '2.1',
  intent: 'data',
  title: 'June forecast',
  chart: {
    kind: 'line',
    labels: ['Nov', 'Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
    series: [
      { name: 'Forecast', data: [296, 309, 318, 342, 361, 374, 398, 412] },
      { name: 'Last year', data: [290, 300, 312, 330, 342, 351, 368, 388] },
    ],
  },
  table: {
    columns: ['Region', 'Revenue', 'Against May', 'Confidence'],
    rows: [
      ['North', '€188k', '+7.2%', 'High'],
      ['South', '€131k', '+5.0%', 'High'],
      ['West', '€93k', '−1.1%', 'Medium'],
    ],
  },
}
const ORDERED: UiHintsPayload = {
  version: '2.1',
  intent: 'list',
  listItems: [
    {
      id: 'order',
      title: 'Purchase order 4471 created',
      subtitle: 'Lindqvist & Co., 380 pairs, €11,420, arrives 12 June',
      status: 'success',
      icon: { source: 'icon', value: 'check' },
      actions: [{ label: 'Open', action: { type: 'url', url: 'https://example.com/4471' } }],
    },
    {
      id: 'lyon',
      title: 'Shop in Lyon was not reached',
      subtitle: 'The mailbox is full. Nothing was sent; the text is kept.',
      status: 'error',
      icon: { source: 'icon', value: 'x' },
      actions: [{ label: 'Send to Elise instead', action: { type: 'url', url: 'mailto:elise@example.com' } }],
    },
  ],
}

const SET_UP = 'Set up the June forecast. Ask me for what you need.'

/** What the agent of this screen does, or null when the text is not one of it. */
export function uiOf(said: string, context: AgentContext): AsyncGenerator<AgentOutput> | null {
  return said.startsWith(SET_UP) ? setUp(context) : null
}

async function* setUp({ surfaces }: AgentContext): AsyncGenerator<AgentOutput> {
  yield {
    type: 'text.delta',
    partId: 'asks',
    delta: 'Four things, then I can start. I filled in what last month used.',
  }
  const call = (toolCallId: string, title: string): AgentOutput => ({
    type: 'tool.started',
    partId: toolCallId,
    toolCallId,
    name: 'forecast',
    title,
  })
  yield call('settings', 'Ask for the settings')
  await surfaces.apply([SETTINGS], 'settings')
  yield { type: 'tool.result', toolCallId: 'settings', preview: '' }
  yield call('figures', 'Read the figures')
  yield { type: 'tool.result', toolCallId: 'figures', ui: FIGURES }
  yield call('forecast', 'Forecast June')
  yield { type: 'tool.result', toolCallId: 'forecast', uiHints: FORECAST }
  const says =
    'The West is the only region that shrinks; two shops close for works in June. I ordered stock for the other two.'
  yield { type: 'text.delta', partId: 'says', delta: says }
  yield call('ordered', 'Order stock')
  yield { type: 'tool.result', toolCallId: 'ordered', uiHints: ORDERED }
  yield {
    type: 'metric.changed',
    scope: 'run',
    usage: { inputTokens: 8_000, outputTokens: 1_100, cost: { amount: 0.062, currency: 'USD' } },
  }
}

export const drawnScenes: Record<string, Scene> = {
  'i-drawn-top': {
    async go(page) {
      await page.getByRole('radio', { name: 'Ledger' }).check({ force: true })
      await begin(page, SET_UP)
      await ended(page)
      await page.getByText('Forecast settings').waitFor()
      await toTop(page)
    },
  },
  'i-drawn-end': {
    async go(page) {
      await page.getByRole('radio', { name: 'Ledger' }).check({ force: true })
      await begin(page, SET_UP)
      await ended(page)
      await page.getByText('Purchase order 4471').waitFor()
    },
  },
}
