import { createStream } from '../stream.ts'
import { TIMING } from '../timing.ts'
import { WORKER_NAME } from './messages.ts'
import { serveTabs } from './serve-tabs.ts'

/** The parts of SharedWorkerGlobalScope that are used; the DOM library does not describe it. */
const scope = globalThis as unknown as {
  name: string
  addEventListener(type: 'connect', listener: (event: MessageEvent) => void): void
}

const baseUrl = scope.name.slice(WORKER_NAME.length)

const tabs = serveTabs({
  open: () => createStream({ baseUrl, fetch: (input, init) => fetch(input, init), timing: TIMING }),
  released: lock => navigator.locks.request(lock, () => {}),
})

scope.addEventListener('connect', ({ ports }) => tabs.connect(ports[0]!))
