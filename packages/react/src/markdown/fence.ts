const OPENS = /^ {0,3}(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)\n?$/
const CLOSES = /^ {0,3}(`{3,}|~{3,})\s*$/

/** The signs with which a line begins a block of code; undefined when it begins none. */
export function fenceIn(line: string): string | undefined {
  const found = OPENS.exec(line)
  return found?.[1] ?? found?.[2]
}

/** Whether a line ends the block of code that these signs began: with at least as many of them, and with nothing else. */
export function endsFence(line: string, fence: string): boolean {
  const found = CLOSES.exec(line)?.[1]
  return found?.startsWith(fence) === true
}
