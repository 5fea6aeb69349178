import { TIMING } from './connection.ts'
import { createHub, WORKER_NAME } from './shared-hub.ts'
import { createStream } from './stream.ts'

/** The parts of SharedWorkerGlobalScope that are used; the DOM library does not describe it. */
const scope = globalThis as unknown as {
  name: string
  addEventListener(type: 'connect', listener: (event: MessageEvent) => void): void
}

const baseUrl = scope.name.slice(WORKER_NAME.length)

const hub = createHub({
  open: () => createStream({ baseUrl, fetch: (input, init) => fetch(input, init), timing: TIMING }),
  released: lock => navigator.locks.request(lock, () => {}),
})

scope.addEventListener('connect', ({ ports }) => hub.connect(ports[0]!))
