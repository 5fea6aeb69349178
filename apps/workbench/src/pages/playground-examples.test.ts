import { inspectHints } from '@vitrine/genui/hints'
import { inspectSchema } from '@vitrine/genui/schema'
import { describe, expect, it } from 'vitest'
import listed from './playground-examples.json' with { type: 'json' }

/** These two show what becomes of mistakes. */
const WITH_MISTAKES = ['every-node', 'mistakes']

describe('examples of the playground', () => {
  it.each(listed.map(({ id, document }) => [id, document as object] as const))(
    'US-302 %s is legal as it is written, or shows mistakes on purpose',
    (id, document) => {
      const found = 'root' in document ? inspectSchema(document) : inspectHints(document)
      expect(found.length > 0, JSON.stringify(found)).toBe(WITH_MISTAKES.includes(id))
    },
  )
})
