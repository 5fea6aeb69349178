const FIELDS: readonly (keyof ErrorData)[] = ['name', 'message', 'stack', 'code', 'next', 'retryable']

/** An error as data: what can go through a port, and what is kept of whatever an agent threw. */
export interface ErrorData {
  name: string
  message: string
  stack: string
  code?: string
  next?: string
  retryable?: boolean
}

/** Reads what was thrown. It may be anything, also a proxy that throws whenever it is asked something. */
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

/** Whatever was thrown, as an error whose fields can be read: itself when it is one. */
export function errorOf(thrown: unknown): Error {
  const readable = read(() => {
    if (!(thrown instanceof Error)) return false
    for (const name of FIELDS) void thrown[name as keyof Error]
    return true
  })
  return readable ? (thrown as Error) : errorFrom(errorData(thrown))
}

/** Whether it is one of these. The question alone can throw. */
export const isOf = <T>(thrown: unknown, kind: new (...args: never[]) => T): thrown is T =>
  read(() => thrown instanceof kind) ?? false

function read<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
