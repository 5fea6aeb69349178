import { isObject, type Json, type PatchOperation } from '@vitrine/protocol'
import type { Scenario } from '../scenario.ts'

export const sharedState: Scenario = {
  id: 'state',
  title: 'State that we both see',
  shows: 'shared state that you and I both see, changed piece by piece',
  example: 'show the shared state',
  triggers: ['state', 'shared state', 'counter', 'shopping list', '状态', '共享状态', '计数'],
  async *play(_input, context, say) {
    const known = await context.state()
    const mine = isObject(known) && isObject(known.guide) ? known.guide : undefined
    const visits = typeof mine?.visits === 'number' ? mine.visits + 1 : 1
    const fresh = { visits, list: [] as Json[] }
    // Other agents may keep values in the state, so it is only replaced when it is absent or is not an object.
    if (isObject(known)) yield change([{ op: 'add', path: '/guide', value: fresh }])
    else yield { type: 'state.snapshot', state: { guide: fresh } }
    yield* say.text(
      `This is our shared state; open the **state inspector** to watch it. You have asked for it **${visits} ${visits === 1 ? 'time' : 'times'}** in this session, and I know that from the state, not from what we said.`,
    )
    for (const item of ['bread', 'olives', 'cheese']) {
      await say.pause(600)
      yield change([{ op: 'add', path: '/guide/list/-', value: { item, bought: false } }])
    }
    await say.pause(600)
    yield change([
      { op: 'test', path: '/guide/list/0/item', value: 'bread' },
      { op: 'replace', path: '/guide/list/0/bought', value: true },
      { op: 'move', from: '/guide/list/2', path: '/guide/list/1' },
    ])
    yield* say.text(
      'I added three things, ticked off the bread and moved the cheese up. Each change is a small patch (RFC 6902), so a long list costs no more than a short one.',
    )
  },
}

const change = (patch: PatchOperation[]) => ({ type: 'state.delta' as const, patch })
