/** Line and column of a value in a JSON text, both from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * Where a JSON pointer points to in a JSON text. A pointer to something absent gives its nearest parent; in an
 * object the position is that of the key. The text must be valid JSON.
 */
export function locate(text: string, jsonPointer: string): Position {
  const steps = jsonPointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return positionAt(text, new Finder(text).find(steps))
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

class Finder {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  find(steps: readonly string[]): number {
    this.space()
    let found = this.at
    for (const step of steps) {
      const next = this.text[this.at] === '{' ? this.key(step) : this.text[this.at] === '[' ? this.index(step) : -1
      if (next < 0) break
      found = next
    }
    return found
  }

  /** Moves to the value of a key and returns where the key stands. The last of equal keys counts, as in JSON.parse. */
  private key(name: string): number {
    let found = -1
    let value = -1
    this.at++
    for (this.space(); this.text[this.at] !== '}'; this.space()) {
      const start = this.at
      const key: unknown = JSON.parse(this.string())
      this.space()
      this.at++
      this.space()
      if (key === name) {
        found = start
        value = this.at
      }
      this.skip()
      this.space()
      if (this.text[this.at] === ',') this.at++
    }
    if (found >= 0) this.at = value
    return found
  }

  private index(step: string): number {
    this.at++
    this.space()
    for (let index = 0; this.text[this.at] !== ']'; index++) {
      if (String(index) === step) return this.at
      this.skip()
      this.space()
      if (this.text[this.at] === ',') this.at++
      this.space()
    }
    return -1
  }

  private skip(): void {
    let depth = 0
    do {
      this.space()
      const char = this.text[this.at]
      if (char === '"') this.string()
      else if (char === undefined) return
      else {
        if (char === '{' || char === '[') depth++
        else if (char === '}' || char === ']') depth--
        else if (char !== ',' && char !== ':') {
          while (/[^\s,:\]}]/.test(this.text[this.at] ?? ',')) this.at++
          continue
        }
        this.at++
      }
    } while (depth > 0)
  }

  private string(): string {
    const start = this.at++
    while (this.text[this.at] !== '"' && this.at < this.text.length) this.at += this.text[this.at] === '\\' ? 2 : 1
    return this.text.slice(start, ++this.at)
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? 'x')) this.at++
  }
}
