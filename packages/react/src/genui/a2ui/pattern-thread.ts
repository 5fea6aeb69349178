import { type PatternRequest, testPattern } from '@vitrine/genui'

const scope = globalThis as unknown as {
  onmessage: (event: { data: PatternRequest }) => void
  postMessage(message: boolean | 'ready'): void
}

// Away from the page: a pattern may take for ever, and is then ended from outside.
scope.onmessage = ({ data }) => scope.postMessage(testPattern(data))
scope.postMessage('ready')
