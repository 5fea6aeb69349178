import { createSend, type Send } from './http.ts'
import { TIMING } from './timing.ts'
import type { VitrineClient } from './types.ts'

/** What the functions of the entries beside the client need of it. */
export type Connected = Pick<VitrineClient, 'api'>

/** How they send. */
export const sendOf = ({ api: { baseUrl, fetch = (input, init) => globalThis.fetch(input, init) } }: Connected): Send =>
  createSend(baseUrl, fetch, TIMING)
