const FIELDS: readonly (keyof ErrorData)[] = ['name', 'message', 'stack', 'code', 'next', 'retryable']

/** An error as plain data. It can be sent through a port, and it holds all that we keep of what an agent threw. */
export interface ErrorData {
  name: string
  message: string
  stack: string
  code?: string
  next?: string
  retryable?: boolean
}

/** Reads a thrown value. The value may be anything, also a proxy that throws on every access. */
export function errorData(thrown: unknown): ErrorData {
  const line = (name: string): string | undefined => {
    const value = read(() => (thrown as Record<string, unknown> | null | undefined)?.[name])
    return typeof value === 'string' ? value : undefined
  }
  const message = line('message') ?? (isOf(thrown, Error) ? '' : (read(() => String(thrown)) ?? ''))
  const [code, next] = [line('code'), line('next')]
  const retryable = read(() => (thrown as { retryable?: unknown } | null | undefined)?.retryable)
  return {
    name: line('name') ?? 'Error',
    message,
    stack: line('stack') ?? message,
    ...(code !== undefined && { code }),
    ...(next !== undefined && { next }),
    ...(typeof retryable === 'boolean' && { retryable }),
  }
}

export function errorFrom({ name, message, stack, ...rest }: ErrorData): Error {
  if (name === 'AbortError') return new DOMException(message, name)
  return Object.assign(new Error(message), { name, stack, ...rest })
}

/** Gives an error whose fields can be read safely: the thrown value itself, when it is such an error. */
export function errorOf(thrown: unknown): Error {
  const readable = read(() => {
    if (!(thrown instanceof Error)) return false
    for (const name of FIELDS) void thrown[name as keyof Error]
    return true
  })
  return readable ? (thrown as Error) : errorFrom(errorData(thrown))
}

/** Like `instanceof`, but safe: for a hostile value `instanceof` itself can throw. */
export const isOf = <T>(thrown: unknown, kind: new (...args: never[]) => T): thrown is T =>
  read(() => thrown instanceof kind) ?? false

function read<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
