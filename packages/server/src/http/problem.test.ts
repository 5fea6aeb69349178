import { REFUSAL_CODES } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { problemOf } from './problem.ts'

describe('a refusal as a problem document', () => {
  it.each([
    ['session_not_found', 404],
    ['surface_not_found', 404],
    ['cursor_foreign', 409],
    ['key_reused', 409],
    ['session_exists', 409],
    ['string_too_long', 422],
    ['too_many_streams', 429],
    ['stopping', 503],
    ['storage_failed', 503],
  ] as const)('P-401 %s has the status %i', (code, status) => {
    expect(problemOf(new Refusal(code, 'No.'))).toMatchObject({ code, status, detail: 'No.' })
  })

  it('P-401 every code has a status that says that something was refused, and words of HTTP for it', () => {
    for (const code of REFUSAL_CODES) {
      const { status, title } = problemOf(new Refusal(code, 'No.'))
      expect([code, status >= 400 && status < 600, title]).toEqual([code, true, expect.not.stringMatching(/^Error$/)])
    }
  })

  it('P-401 says the path, or that of the first error, and leaves out what the refusal does not have', () => {
    const errors = [{ path: '/values/a', detail: 'too short' }]
    expect(problemOf(new Refusal('values_invalid', 'No.', { errors }))).toMatchObject({ path: '/values/a', errors })
    expect(problemOf(new Refusal('invalid_request', 'No.', { path: '' }))).toMatchObject({ path: '' })
    expect(Object.keys(problemOf(new Refusal('not_found', 'No.')))).toEqual([
      'type',
      'title',
      'status',
      'code',
      'detail',
    ])
  })
})
