import type { SessionHandle, VitrineClient } from '@vitrine/client'
import { hintsToSchema } from '@vitrine/genui/hints'
import { createState, Text, type Tool, UI_SCHEMA_MEDIA_TYPE } from '@vitrine/protocol'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { VitrineProvider } from '../context.tsx'
import { ToolUi, ToolUiDetail } from './tool-ui.tsx'

const hints = { intent: 'status', status: 'success', title: 'Event created', items: [{ key: 'id', value: 'evt_1' }] }
const ui = hintsToSchema(hints, { ids: true }) as never

const none = { preview: null, value: null, ref: null, ui: null, uiHints: null }
const known = (value: object) => ({ known: true, value: { ...none, ...value } }) as Tool['result']

const tool = (change: Partial<Tool>): Tool =>
  ({
    toolCallId: 't1',
    name: 'show_ui',
    state: 'done',
    args: new Text(),
    result: { known: false, why: 'loading' },
    error: null,
    ...change,
  }) as Tool

function draw(entity: Tool | undefined, more: object = {}): string {
  const handle = {
    state: {
      ...createState('s'),
      tools: { key: 'tools', v: 0, byId: new Map(entity ? [['t1', entity]] : []) },
      ...more,
    },
    version: () => 1,
    subscribe: () => () => {},
  } as unknown as SessionHandle
  return renderToStaticMarkup(
    <VitrineProvider client={{} as VitrineClient} openSession={() => {}}>
      <ToolUi handle={handle} toolCallId="t1" />
    </VitrineProvider>,
  )
}

describe('the interface of a tool call', () => {
  it('US-74 draws the schema that came with the result, of any tool', () => {
    const html = draw(tool({ name: 'calendar.create', result: known({ ui, uiHints: hints }) }))
    expect(html).toContain('Event created')
    expect(html).toContain('evt_1')
    expect(html).toContain('aria-busy="false"')
  })

  it('P-8719 what is drawn stands on one plate, whose foot names the agent of the run', () => {
    const drawn = tool({ runId: 'r1', result: known({ ui }) })
    const runs = { key: 'runs', v: 0, byId: new Map([['r1', { agentId: 'ledger' }]]) }
    expect(draw(drawn, { runs })).toMatch(/v-plate v-drawn.*Event created.*<footer.*Drawn by ledger/s)
    // Without a name to give, nothing is said.
    expect(draw(drawn)).not.toContain('Drawn by')
  })

  it('US-74 draws nothing for a tool without one', () => {
    for (const entity of [
      undefined,
      tool({ name: 'search', result: known({ value: 1 }) }),
      tool({ name: 'search', state: 'running' }),
    ])
      expect(draw(entity)).not.toMatch(/v-ui|v-tool-ui/)
  })

  it('UH-26 UH-36 draws the card as far as the arguments have come, marked and not yet to be used', () => {
    const args = new Text('{"intent":"status","status":"success","title":"Event cre')
    const running = tool({ state: 'preparing', args })
    const html = draw(running)
    expect(html).toContain('Event cre')
    expect(html).toContain('Being written…')
    expect(html).toContain('aria-busy="true"')
    args.append('ated"}')
    expect(draw(running)).toContain('Event created')
    expect(draw(tool({ state: 'preparing', args: new Text('not JSON') }))).not.toContain('v-tool-ui')
  })

  it('UH-38 draws no card for hints that were not taken: the row of the call says so', () => {
    const error = { code: 'ui_hints', message: 'show_ui: correct these.\n/intent: expected message | data' }
    const html = draw(tool({ state: 'failed', args: new Text('{"intent":1}'), error: error as Tool['error'] }))
    expect(html).not.toMatch(/v-ui|v-tool-ui|correct these/)
  })

  it('US-74 fetches a document that was too large for its event', () => {
    const ref = { ref: 'blob', digest: 'd', size: 90_000, mediaType: UI_SCHEMA_MEDIA_TYPE }
    expect(draw(tool({ result: known({ ref }) }))).toContain('Loading…')
    const large = { ...ref, size: 9_000_000 }
    expect(draw(tool({ result: known({ ref: large }) }))).toMatch(/Show the interface \(9\sMB\)/)
    expect(draw(tool({ name: 'read', result: known({ ref: { ...ref, mediaType: 'text/plain' } }) }))).not.toContain(
      'Loading',
    )
  })

  it('UH-37 shows hints, schema and what could not be taken in the detail view', () => {
    const broken = { version: '2.0', root: { type: 'stack', children: [{ type: 'hologram' }] } }
    const problems = ['/root/children/0/type: expected text, got "hologram"']
    const html = renderToStaticMarkup(<ToolUiDetail ui={broken} uiHints={hints as never} uiProblems={problems} />)
    expect(html).toContain('&quot;intent&quot;: &quot;status&quot;')
    expect(html).toContain('&quot;hologram&quot;')
    expect(html).toContain('/root/children/0/type')
  })
})
