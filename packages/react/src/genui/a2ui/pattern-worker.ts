import { type PatternWorker, patternWorker } from '@vitrine/genui'

let shared: PatternWorker | undefined

/** The thread of the page in which patterns run that are not provably linear. It starts with the first of them. */
export function pagePatternWorker(): PatternWorker {
  shared ??= patternWorker(({ ready, answer, failed }) => {
    // The name of the built file: bundlers find the source by it, and the published package has it.
    const thread = new Worker(new URL('./pattern-thread.js', import.meta.url), { type: 'module' })
    thread.onmessage = ({ data }: MessageEvent<boolean | 'ready'>) => (data === 'ready' ? ready() : answer(data))
    thread.onerror = failed
    return { post: request => thread.postMessage(request), terminate: () => thread.terminate() }
  })
  return shared
}
