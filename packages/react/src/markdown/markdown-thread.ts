import type { CodeReader } from './highlight.ts'
import type { Answer, Request, Work } from './markdown-worker.ts'

const scope = globalThis as unknown as {
  onmessage: (event: { data: Request }) => void
  postMessage(message: { id: number; answer?: Answer; begins?: true }): void
}

/** The code that is being read, by the name that the page has for it. */
const readers = new Map<number, CodeReader>()

/** Fetches what a request needs, and gives the work itself, which does not wait for anything. */
async function prepare(request: Work): Promise<() => Answer> {
  if (request.kind === 'maths') {
    const { toMathml } = await import('./mathml.ts')
    return () => ({ maths: toMathml(request.tex, request.display) })
  }
  if (request.kind === 'diff') {
    const { lineDiff } = await import('../diff/line-diff.ts')
    return () => ({ diff: lineDiff(request.before, request.after) })
  }
  const { code, language, lines, first, arriving } = request
  if (first) readers.set(code, await (await import('./highlight.ts')).openCode(language))
  const reader = readers.get(code)
  // This thread was started again meanwhile, and does not know what came before.
  if (!reader) return () => ({ lost: true })
  return () => ({
    marks: lines.length > 0 ? reader.read(lines) : [],
    ...(arriving !== undefined && { arriving: reader.peek(arriving) }),
  })
}

scope.onmessage = async ({ data }) => {
  const { id } = data
  try {
    if (data.kind === 'end') readers.delete(data.code)
    else {
      const work = await prepare(data)
      scope.postMessage({ id, begins: true })
      scope.postMessage({ id, answer: work() })
    }
  } catch {
    scope.postMessage({ id, answer: { failed: true } })
  }
}
