import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import * as actions from '../runtime/commands/actions.ts'
import * as interactions from '../runtime/commands/interactions.ts'
import * as messages from '../runtime/commands/messages.ts'
import * as queue from '../runtime/commands/queue.ts'
import * as runs from '../runtime/commands/runs.ts'
import * as steers from '../runtime/commands/steers.ts'
import * as turns from '../runtime/commands/turns.ts'
import { createRuntime, type RuntimeOptions } from '../runtime/create-runtime.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { type AppOptions, createApp } from './app.ts'
import { bodyLimits } from './body.ts'
import { routes } from './document.test.kit.ts'

/** Writes that the runtime does not carry out, each with the reason. */
const NOT_OF_THE_RUNTIME = {
  rotateToken: 'Tokens belong to those who sign in, and the runtime does not know how anybody signs in.',
}

/** Methods of the runtime that are no operation, each with the reason. */
const NO_OPERATION = {
  eraseSession: 'It is deleteSession with `erase=now`.',
  position: 'The streams ask where a log ends; the snapshot tells it to everybody else.',
  recover: 'Whoever starts the server calls it.',
  close: 'Whoever stops the server calls it.',
}

const methods = Object.keys(createRuntime({ agents: [] } as unknown as RuntimeOptions))
const functions = { ...actions, ...interactions, ...messages, ...queue, ...runs, ...steers, ...turns }
const operations = routes.map(route => ({ ...route, id: route.operation.operationId! }))
const writes = operations.filter(({ method }) => method !== 'GET')

/** Every method of this runtime notes its own name and then refuses. */
const called: string[] = []
const refuse = (name: string) => async () => {
  called.push(name)
  throw new Refusal('session_not_found', 'There is no such session.')
}
const app = createApp({
  runtime: Object.fromEntries(methods.map(name => [name, refuse(name)])) as unknown as Runtime,
  auth: { authorise: () => ({ id: 'ann', kind: 'person', roles: [] }) },
  basePath: '',
  limits: bodyLimits,
} as unknown as AppOptions)

describe('R-19 one name for one operation', () => {
  it('R-19 every operation that writes is a method of the runtime', () => {
    const others = writes.map(({ id }) => id).filter(id => !methods.includes(id))
    expect(others).toEqual(Object.keys(NOT_OF_THE_RUNTIME))
  })

  it('R-19 every method of the runtime is an operation', () => {
    const others = methods.filter(name => !operations.some(({ id }) => id === name))
    expect(others).toEqual(Object.keys(NO_OPERATION))
  })

  it.each(operations.filter(({ id }) => methods.includes(id)))('R-19 $id calls the method of its name', async one => {
    called.length = 0
    // A digest is the one id whose form is checked before the runtime is asked.
    const path = one.path.replaceAll(/\{\w+\}/g, '0'.repeat(64))
    await app.request(`/api${path}`, {
      method: one.method,
      ...(one.example !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(one.example),
      }),
    })
    expect(called).toEqual([one.id])
  })

  it('R-19 every command to the agent of a session has its function in runtime/commands/', () => {
    const commands = writes.filter(({ operation }) => operation.tags?.includes('runtime')).map(({ id }) => id)
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.filter(id => !Object.hasOwn(functions, id))).toEqual([])
  })
})
