import { Refusal } from '../../refusal.ts'

export const runActive = (next: string): Refusal =>
  new Refusal('run_active', 'A run is active in this session.', { next })

export const runNotFound = (): Refusal => new Refusal('run_not_found', 'There is no such run in this session.')
