/** Runs one pattern at a time, away from the page: it may take for ever, and is then ended from outside. */
interface Request {
  pattern: string
  value: string
}

const scope = globalThis as unknown as {
  onmessage: (event: { data: Request }) => void
  postMessage(message: boolean | 'ready'): void
}

scope.onmessage = ({ data: { pattern, value } }) => {
  let matches = false
  try {
    matches = new RegExp(pattern).test(value)
  } catch {
    // Not a pattern: it matches nothing.
  }
  scope.postMessage(matches)
}
scope.postMessage('ready')
