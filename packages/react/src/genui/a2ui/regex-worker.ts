import { type RegexWorker, regexQueue } from '@vitrine/genui/a2ui'

let shared: RegexWorker | undefined

/** One thread a page for patterns that are not provably linear; started with the first of them. */
export function pageRegexWorker(): RegexWorker {
  shared ??= regexQueue(({ ready, answer }) => {
    // The name of the built file: bundlers find the source by it, and the published package has it.
    const thread = new Worker(new URL('./regex-thread.js', import.meta.url), { type: 'module' })
    thread.onmessage = ({ data }: MessageEvent<boolean | 'ready'>) => (data === 'ready' ? ready() : answer(data))
    return { post: request => thread.postMessage(request), terminate: () => thread.terminate() }
  })
  return shared
}
