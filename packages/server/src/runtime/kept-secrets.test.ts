import { type Json, MASK } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { ended, harness, OWNER, scripted } from './harness.fixture.ts'

describe('L10 what was typed hidden, for the agent', () => {
  it('A2-330 L10 what was typed hidden is masked after its field is gone, also after a restart, and the agent gets it', async () => {
    const seen: unknown[] = []
    const field = { id: 'pw', type: 'TextField', props: { label: 'Pw', variant: 'obscured', value: { path: '/pw' } } }
    const root = { id: 'root', type: 'Column', children: [field, { id: 'go', type: 'Button', props: { text: 'Go' } }] }
    const agents = [
      scripted(async function* ({ interaction }, context) {
        const at = { surfaceId: 's' }
        const create = { ...at, catalogId: 'basic', sendDataModel: true, dataModel: { pw: '' }, root }
        const confirm = { id: 'root', component: { id: 'root', type: 'Button', props: { text: 'Confirm' } } }
        if (interaction) seen.push((interaction as { payload?: Json }).payload)
        else {
          await context.surfaces.apply([
            { version: 'v0.9', createSurface: create },
            { version: 'v0.9', updateComponents: { ...at, replace: confirm } },
          ])
        }
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const first = await harness({ agents })
    const id = await first.session()
    await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await first.until(id, ended)
    const payload = { values: { pw: 'hunter2secret' }, dataModel: { pw: 'hunter2secret' } }
    const press = { componentId: 'root', eventType: 'click' as const, payload, context: { who: 'hunter2secret' } }
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'one', ...press })
    await first.until(id, state => ended(state) && seen.length === 1)
    const second = await first.restart({ agents })
    await second.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'two', ...press })
    await second.until(id, state => ended(state) && seen.length === 2)
    expect(seen).toEqual([payload, payload])
    expect(JSON.stringify(await second.events(id))).not.toContain('hunter2secret')
    await second.close()
  })

  it('A2-381 L10 what was typed hidden is masked when the surface was created anew under its id before the press came', async () => {
    const seen: unknown[] = []
    const go = { id: 'go', type: 'Button', props: { text: 'Go' } }
    const field = { id: 'pw', type: 'TextField', props: { label: 'Pw', variant: 'obscured', value: { path: '/pw' } } }
    const drawn = (...children: Json[]) => ({
      version: 'v0.9',
      createSurface: { surfaceId: 's', catalogId: 'basic', root: { id: 'root', type: 'Column', children } },
    })
    const agents = [
      scripted(async function* ({ interaction, text }, context) {
        const removed = { version: 'v0.9', deleteSurface: { surfaceId: 's' } }
        if (interaction) seen.push(interaction)
        else await context.surfaces.apply([drawn(field, go), ...(text === 'delete' ? [removed] : []), drawn(go)])
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const h = await harness({ agents })
    const id = await h.session()
    for (const text of ['create', 'delete']) {
      await h.runtime.submitTurn(OWNER, id, { turnId: text, text })
      await h.until(id, state => ended(state) && state.runs.byId.size >= 1)
      const secret = `crossing ${text}`
      const payload = { values: { pw: secret } }
      const press = { key: `press-${text}`, componentId: 'go', eventType: 'click' as const, payload }
      await h.runtime.sendSurfaceInteraction(OWNER, id, 's', { ...press, edits: { '/pw': secret } })
      await h.until(
        id,
        state => ended(state) && (seen.at(-1) as typeof press | undefined)?.payload.values.pw === secret,
      )
      expect(JSON.stringify(await h.events(id))).not.toContain('crossing')
    }
    await h.close()
  })

  it('A2-150 L8 a secret that was typed before a restart is gone, and the run says so', async () => {
    const seen: unknown[] = []
    const field = { label: 'Password', variant: 'obscured', action: { event: { name: 'send' } } }
    const components = [{ id: 'root', component: 'TextField', ...field }]
    const agents = [
      scripted(async function* ({ interaction }, context) {
        if (interaction) seen.push((interaction as { payload?: Json }).payload)
        else {
          await context.surfaces.apply([
            { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic' } },
            { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
          ])
        }
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const first = await harness({ agents })
    const id = await first.session()
    await first.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'draw' })
    await first.until(id, ended)
    const payload = { values: { root: 'the secret' } }
    const typed = { componentId: 'root', eventType: 'submit' as const, name: 'send', payload }
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'kept', ...typed })
    await first.until(id, state => ended(state) && seen.length === 1)
    await first.runtime.updateQueue(OWNER, id, { held: true })
    await first.runtime.sendSurfaceInteraction(OWNER, id, 's', { key: 'lost', ...typed })
    const second = await first.restart({ agents })
    await second.runtime.updateQueue(OWNER, id, { held: false })
    const state = await second.until(id, now => ended(now) && seen.length === 2)
    expect(seen).toEqual([{ values: { root: 'the secret' } }, { values: { root: MASK } }])
    expect([...state.diagnostics.byId.values()].map(({ code }) => code)).toEqual(['secret_lost'])
    expect(JSON.stringify(await second.events(id))).not.toContain('the secret')
    await second.close()
  })

  it('A2-385 L10 a password that is answered in words is masked in every event, and the agent gets it', async () => {
    const password = { type: 'string', format: 'password' }
    const inside = { type: 'object', properties: { pw: password } }
    const options = [{ value: 'a', label: 'A' }]
    const heard: unknown[] = []
    const agents = [
      scripted(async function* ({ text }, { ask, tools }) {
        if (text === 'tool')
          heard.push(await tools.find(({ name }) => name === 'ask')!.call({ question: 'Pw?', schema: inside, options }))
        else heard.push(await ask({ kind: 'question', title: 'Pw?', schema: text === 'whole' ? password : inside }))
        yield { type: 'text.delta', partId: 'p', delta: 'done' }
      }),
    ]
    const h = await harness({ agents })
    const id = await h.session()
    const respond = async (text: string, response: { decision: 'answer' | 'deny'; text: string }) => {
      await h.runtime.submitTurn(OWNER, id, { turnId: `${text} ${response.decision}`, text })
      const asked = await h.until(id, ({ session }) => session.needsInput === 1)
      await h.runtime.respondToAction(OWNER, id, [...asked.actions.byId.keys()].at(-1)!, response)
      await h.until(id, ended)
    }
    for (const text of ['whole', 'inside', 'tool']) await respond(text, { decision: 'answer', text: 'in my words' })
    expect(heard).toMatchObject([{ text: 'in my words' }, { text: 'in my words' }, { text: 'in my words' }])
    const log = async () => JSON.stringify(await h.events(id))
    expect(await log()).not.toContain('in my words')
    expect(await log()).toContain(MASK)
    // A refusal is no answer: its words are for everybody.
    await respond('whole', { decision: 'deny', text: 'use the key' })
    expect(await log()).toContain('use the key')
    await h.close()
  })
})
