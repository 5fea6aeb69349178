import type { UiSchemaRenderer } from '@vitrine/genui/schema'
import { describe, expect, it } from 'vitest'
import { ended, type Harness, harness, OWNER, scripted } from '../harness.fixture.ts'
import { contentDigest, isDigestOf } from './turn-content.ts'

describe('L10 the seal of what was typed hidden', () => {
  const action = { type: 'payload', payload: {} } as const
  const ui: UiSchemaRenderer = {
    version: '2.0',
    root: {
      type: 'stack',
      children: [
        { type: 'field', name: 'pw', label: 'Password', input: 'password' },
        { type: 'button', label: 'Go', action },
      ],
    },
  }
  const field = { id: 'pw', type: 'TextField', props: { label: 'Pw', variant: 'obscured' } }
  const surface = { surfaceId: 's', catalogId: 'basic', root: { id: 'root', type: 'Column', children: [field] } }
  const ways = {
    card: (h: Harness, id: string, key: string, toolCallId: string, pw: string) =>
      h.runtime.sendUiAction(OWNER, id, { key, toolCallId, action, values: { pw } }),
    surface: (h: Harness, id: string, key: string, _: string, pw: string) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 's', {
        key,
        componentId: 'pw',
        eventType: 'submit',
        payload: { value: pw },
      }),
    'surface with edits': (h: Harness, id: string, key: string, _: string, pw: string) =>
      h.runtime.sendSurfaceInteraction(OWNER, id, 's', {
        key,
        componentId: 'pw',
        eventType: 'submit',
        edits: { '#pw': pw },
      }),
  }
  for (const [way, press] of Object.entries(ways))
    it(`US-260 the same key with another password is refused on a ${way}, also after a restart, and the log has none`, async () => {
      let pressed = 0
      let end = () => {}
      const agents = [
        scripted(async function* ({ interaction, text }, { surfaces, steers, signal }) {
          if (interaction) pressed++
          if (text === 'draw') {
            await surfaces.apply([{ version: 'v0.9', createSurface: surface }])
            yield { type: 'tool.started', partId: 'card', toolCallId: 'card', name: 'show' }
            yield { type: 'tool.result', toolCallId: 'card', ui }
          }
          if (text !== 'work') return
          yield { type: 'text.delta', partId: 'p', delta: 'working' }
          await new Promise<void>(resolve => {
            end = resolve
            signal.addEventListener('abort', () => resolve())
          })
          pressed += (await steers.take()).length
        }),
      ]
      const first = await harness({ agents })
      const id = await first.session()
      await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
      const [call = ''] = (await first.until(id, ended)).tools.byId.keys()
      const reused = { code: 'key_reused' }
      // It starts a turn.
      await press(first, id, 'turn', call, 'first secret')
      await first.until(id, state => ended(state) && pressed === 1)
      await press(first, id, 'turn', call, 'first secret')
      await expect(press(first, id, 'turn', call, 'other secret')).rejects.toMatchObject(reused)
      // It steers a run.
      await first.runtime.submitTurn(OWNER, id, { turnId: 'w', text: 'work' })
      await first.until(id, state =>
        [...state.parts.byId.values()].some(part => JSON.stringify(part).includes('working')),
      )
      expect(await press(first, id, 'steer', call, 'first secret')).toMatchObject({ state: 'steered' })
      await expect(press(first, id, 'steer', call, 'other secret')).rejects.toMatchObject(reused)
      end()
      await first.until(id, state => ended(state) && pressed === 2)
      const second = await first.restart({ agents })
      for (const key of ['turn', 'steer']) {
        await press(second, id, key, call, 'first secret')
        await expect(press(second, id, key, call, 'other secret')).rejects.toMatchObject(reused)
      }
      expect(pressed).toBe(2)
      const log = JSON.stringify(await second.events(id))
      expect(log).not.toContain('secret')
      // The same password under another key has another seal, and none is a digest that anybody could make.
      const seals = [...log.matchAll(/~([\w-]{22})/g)].map(([, seal]) => seal)
      expect(new Set(seals).size).toBe(2)
      await second.close()
    })

  it('US-260 a digest of an older log, which has no seal, is that of the same content', () => {
    const interaction = {
      kind: 'a2ui' as const,
      surfaceId: 's',
      componentId: 'go',
      eventType: 'click' as const,
      hidden: ['pw'],
    }
    const given = { text: '', interaction, edits: {} }
    expect(isDigestOf(contentDigest(given), { ...given, seal: 'x' })).toBe(true)
    expect(isDigestOf(contentDigest({ ...given, seal: 'x' }), { ...given, seal: 'x' })).toBe(true)
    expect(isDigestOf(contentDigest({ ...given, seal: 'x' }), { ...given, seal: 'y' })).toBe(false)
    expect(isDigestOf(contentDigest({ ...given, seal: 'x' }), given)).toBe(false)
  })
})
