import { expect, it } from 'vitest'
import { createState } from './entities.ts'
import { examples } from './events/examples.fixture.ts'
import type { Json } from './json.ts'
import { apply } from './project/apply.ts'
import { snapshot } from './snapshot.ts'

/** Where each value of a snapshot stands, without the positions in lists. */
function placesOf(value: Json, place: string, places: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) placesOf(item, `${place}[]`, places)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) placesOf(inner, `${place}.${key}`, places)
  else places.add(place)
  return places
}

// A checkpoint of an older fold lacks what is new. When this test fails, raise FOLD_CHANGES in storage/upcast.ts of the server
// and write the file anew with `vitest --update`.
it('P-334 the fields of the state that every class of events leaves are those that are written down', async () => {
  const state = createState('basel')
  const places = new Set<string>()
  for (const event of examples) {
    apply(state, event)
    const { entities, counts } = snapshot(state, 1)
    placesOf(JSON.parse(JSON.stringify({ entities, counts })), '', places)
  }
  await expect(`${[...places].sort().join('\n')}\n`).toMatchFileSnapshot('state-shape.fixture.txt')
})
