import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'

/** A program, and how much it may use. */
export interface CodeRequest {
  readonly code: string
  /** JSON, which the program finds as `input`. */
  readonly input: string | undefined
  readonly ms: number
  readonly memoryBytes: number
  /** Characters of the result, and of what the program prints. */
  readonly most: number
}

/** What a program has printed, and what became of it. */
export interface CodeResult {
  readonly printed: string
  readonly isPrintedCut: boolean
  readonly result?: string
  /** Why it did not end well, in words. */
  readonly problem?: string
}

/** Node has it, and the types of Node do not name it. */
const { Memory } = (
  globalThis as unknown as {
    WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer } }
  }
).WebAssembly

const STACK_BYTES = 512 * 1024
const PAGE_BYTES = 64 * 1024
/** What QuickJS needs to begin with. */
const FIRST_PAGES = 256
const NO_MEMORY = 'It needed more memory than it may have, and was stopped.'
const TOO_DEEP = 'Its functions call each other too deep, and it was stopped.'

/**
 * Prepares a world: `console`, and nothing else that leads out of it. The functions that it needs are taken before the
 * program can change them.
 */
const PRELUDE = `(print => {
  const { stringify } = JSON, text = String, isArray = Array.isArray, join = (list, by) => list.reduce((a, b, i) => i === 0 ? b : a + by + b, '')
  const show = value => {
    if (typeof value === 'string') return value
    if (typeof value === 'bigint') return text(value) + 'n'
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return text(value)
    if (value instanceof Error) return text(value.name) + ': ' + text(value.message)
    try {
      const plain = (_, one) =>
        typeof one === 'bigint' ? text(one) : one instanceof Map ? [...one] : one instanceof Set ? [...one] : one
      const json = stringify(value, plain, 2)
      return json === undefined ? text(value) : json.length <= 120 ? stringify(value, plain) : json
    } catch (error) {
      return text(value)
    }
  }
  const printing = (...values) => print(join(values.map(show), ' '))
  globalThis.console = { log: printing, info: printing, warn: printing, error: printing, debug: printing, table: printing }
  return show
})`

/** Runs a program in a world of its own, which is gone afterwards. */
export async function runCode(request: CodeRequest): Promise<CodeResult> {
  const { code, input, ms, memoryBytes, most } = request
  // The limit of QuickJS does not count the bytes of buffers. This one holds whatever the program does.
  const pages = Math.max(FIRST_PAGES, Math.ceil(memoryBytes / PAGE_BYTES))
  const wasmMemory = new Memory({ initial: FIRST_PAGES, maximum: pages })
  const { default: variant } = (await import('@jitl/quickjs-ng-wasmfile-release-sync')) as unknown as {
    default: QuickJSSyncVariant
  }
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: wasmMemory as never }))
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(STACK_BYTES)
  const until = performance.now() + ms
  const isLate = (): boolean => performance.now() > until
  runtime.setInterruptHandler(isLate)
  const world = runtime.newContext()
  let printed = ''
  let isPrintedCut = false
  const print = (text: string): void => {
    const room = most - printed.length
    if (text.length + 1 > room) isPrintedCut = true
    if (room > 0) printed += `${text.slice(0, room)}\n`
  }
  const ended = (rest: { result?: string; problem?: string }): CodeResult => ({
    printed: printed.slice(0, most).toWellFormed(),
    isPrintedCut,
    ...rest,
  })
  const late = `It did not end within ${ms / 1_000} s, and was stopped.`
  const words = (thrown: unknown): string => {
    if (isNothing(thrown) && wasmMemory.buffer.byteLength * 2 > pages * PAGE_BYTES) return NO_MEMORY
    const said = inWords(thrown, late)
    // What was interrupted in the middle of a promise may say anything.
    return isLate() && said !== NO_MEMORY && said !== TOO_DEEP ? late : said
  }
  try {
    const show = prepare(world, print, input)
    const value = evaluate(world, runtime, code, isLate)
    if ('problem' in value) return ended({ problem: words(value.problem) })
    const shown = world.callFunction(show, world.undefined, value.ok)
    if (shown.error) return ended({ problem: words(world.dump(shown.error)) })
    const result = world.getString(shown.value)
    const cut = result.length > most ? `${result.slice(0, most).toWellFormed()}… (${result.length} characters)` : result
    return ended({ result: cut })
  } catch (error) {
    return ended({ problem: words(error) })
  }
}

function prepare(world: QuickJSContext, print: (text: string) => void, input: string | undefined): QuickJSHandle {
  const printing = world.newFunction('print', text => print(world.getString(text)))
  const prelude = world.unwrapResult(world.evalCode(PRELUDE, 'prelude'))
  const show = world.unwrapResult(world.callFunction(prelude, world.undefined, printing))
  if (input !== undefined) {
    const parse = world.getProp(world.getProp(world.global, 'JSON'), 'parse')
    const value = world.unwrapResult(world.callFunction(parse, world.undefined, world.newString(input)))
    world.setProp(world.global, 'input', value)
  }
  return show
}

type Evaluated = { ok: QuickJSHandle } | { problem: unknown }

/** The value of the last statement, or of the promise that it is. A program with `await` or `return` is a function. */
function evaluate(world: QuickJSContext, runtime: QuickJSRuntime, code: string, isLate: () => boolean): Evaluated {
  const file = 'program.js'
  const compiled = world.evalCode(code, file, { compileOnly: true })
  const wrapped = `(async () => {\n${code}\n})()`
  let source = code
  if (compiled.error) {
    const problem = world.dump(compiled.error)
    const again = world.evalCode(wrapped, file, { compileOnly: true })
    if (again.error) return { problem }
    source = wrapped
  }
  const evaluated = world.evalCode(source, file)
  if (evaluated.error) return { problem: world.dump(evaluated.error) }
  while (runtime.hasPendingJob()) {
    if (isLate()) return { problem: { message: 'interrupted' } }
    const done = runtime.executePendingJobs(1_000)
    if (done.error) return { problem: done.error.context.dump(done.error) }
  }
  const state = world.getPromiseState(evaluated.value)
  if (state.type === 'fulfilled') return { ok: state.value }
  if (state.type === 'rejected') return { problem: world.dump(state.error) }
  return {
    problem: {
      name: 'Waiting',
      message: 'it waits for something that never comes: there are no timers and no network',
    },
  }
}

/** Without memory there is none for an error either. */
const isNothing = (thrown: unknown): boolean =>
  typeof thrown !== 'object' || thrown === null ? !thrown : !('message' in thrown) || thrown.message === ''

/** What a program threw, in words: its own line numbers, and nothing about us. */
function inWords(thrown: unknown, late: string): string {
  const { name, message, stack } = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as {
    name?: unknown
    message?: unknown
    stack?: unknown
  }
  const said = String(message ?? '')
  if (/out of memory|could not allocate|memory access out of bounds/i.test(said)) {
    return NO_MEMORY
  }
  if (/stack (overflow|size exceeded)/i.test(said)) return TOO_DEEP
  if (said === 'interrupted') return late
  const line = typeof stack === 'string' ? /program\.js:(\d+)/.exec(stack)?.[1] : undefined
  return `${typeof name === 'string' ? `${name}: ` : 'It threw '}${said.slice(0, 1_000)}${line ? ` (line ${line})` : ''}`
}
