import { MASK } from '@vitrine/protocol'
import { type DeclaredSecrets, maskRanges } from './mask-secrets.ts'
import { isSecretWord, namesSecret, openerAt, openKeyAt, secretRanges } from './secret-patterns.ts'

/** A word that is longer is let go, except for its end: it is data, and no key is so long. */
const MAX_HELD = 16 * 1024
/** What stays of a long word, because a key may begin there. */
const KEPT = 512

/**
 * Masks a text that comes in pieces. The last word is held back until it is complete, and so is what announces a secret,
 * so that a secret which is split over pieces is masked like any other.
 */
export class SecretStream {
  /** The text is inside of a JSON string: `\n` is a line break and no letter. */
  readonly #escaped: boolean
  #held = ''
  /** The character before what is held, because a key does not begin in the middle of a word. */
  #before = ''
  /** A secret was cut off in its middle: what follows belongs to it. */
  #swallows: 'word' | 'key' | undefined

  constructor(escaped = false) {
    this.#escaped = escaped
  }

  /** Takes the next piece and returns what can be told. */
  push(piece: string): string {
    if (piece === '') return ''
    this.#held += piece
    if (this.#swallows && !this.#swallowed()) return ''
    const text = this.#readable(this.#held)
    const key = openKeyAt(text)
    if (key >= 0) return this.#tell(text, this.#held.length - key > MAX_HELD ? this.#held.length : key)
    let cut = lastBreak(text)
    // What announces a secret waits together with the word that it is part of.
    const opener = openerAt(text.slice(0, cut))
    if (opener < cut) cut = lastBreak(text.slice(0, opener))
    if (cut === 0 && text.length > MAX_HELD) cut = text.length - KEPT
    return this.#tell(text, cut)
  }

  /** The rest of the text. */
  end(): string {
    if (this.#swallows) {
      this.#held = ''
      return ''
    }
    return this.#tell(this.#readable(this.#held), this.#held.length)
  }

  /** Tells the text up to a place. A secret that goes on behind it is told as its mask, and the rest of it is dropped. */
  #tell(text: string, cut: number): string {
    if (cut <= 0) return ''
    const lead = this.#before
    const ranges = secretRanges(lead + text)
      .map(({ start, end }) => ({ start: Math.max(0, start - lead.length), end: end - lead.length }))
      .filter(({ start, end }) => start < cut && end > 0)
    const last = ranges.at(-1)
    if (last && last.end > cut) cut = last.end
    const touches = last?.end === cut && cut === text.length && text.length > KEPT && !/KEY(?: BLOCK)?-----$/.test(text)
    if (touches) this.#swallows = text.startsWith('-----BEGIN', last.start) ? 'key' : 'word'
    const told = maskRanges(this.#held.slice(0, cut), ranges)
    this.#before = text[cut - 1]!
    this.#held = this.#held.slice(cut)
    return told
  }

  /** Drops what belongs to a secret that was told already. True when the secret is over. */
  #swallowed(): boolean {
    const text = this.#readable(this.#held)
    if (this.#swallows === 'key') {
      const end = /-----END [A-Z0-9 ]{0,90}-----/.exec(text)
      if (!end && /^[\sA-Za-z0-9+/=:,.()-]*$/.test(text)) {
        this.#held = this.#held.slice(-120)
        return false
      }
      this.#held = this.#held.slice(end ? end.index + end[0].length : text.search(/[^\sA-Za-z0-9+/=:,.()-]/))
    } else {
      const end = text.search(/[^\w.~+/=-]/)
      this.#held = end < 0 ? '' : this.#held.slice(end)
      if (end < 0) return false
    }
    this.#swallows = undefined
    return true
  }

  /** The text in the same length: white space for what JSON writes with a backslash, and a quote twice. */
  #readable(text: string): string {
    if (!this.#escaped || !text.includes('\\')) return text
    return text.replace(/\\(?:u[0-9a-fA-F]{4}|.)/gs, pair => {
      const meant = pair[1]!
      if (meant === '"' || meant === "'" || meant === '/') return meant + meant
      return (meant === '\\' ? ' ' : '\n').repeat(pair.length)
    })
  }
}

/** Behind the last white space; 0 when there is none. */
function lastBreak(text: string): number {
  for (let at = text.length; at > 0; at--) {
    const code = text.charCodeAt(at - 1)
    if (code <= 32 || code === 0xa0) return at
  }
  return 0
}

/** A name of a field, or a value that is called like a secret, is read up to this length. */
const MAX_WORD = 4_096

/**
 * Masks the JSON text of arguments that come in pieces: declared fields, fields whose names say it, and secrets of a known
 * form in texts. What is no JSON is masked as text.
 */
export class ArgsStream {
  readonly #declared: DeclaredSecrets
  readonly #outside = new SecretStream()
  readonly #stack: { list: boolean; at: string | number }[] = []
  /** The string that is being read: a name, a value, a value that is skipped, or one that is judged at its end. */
  #string: { kind: 'name' | 'value' | 'skipped' | 'judged'; text: string; stream: SecretStream } | undefined
  /** The next string is the name of a field. */
  #wantsName = false
  /** How deep a value is inside that is skipped as a whole. */
  #skipped: number | undefined
  /** A number or a word was told as a mask already. */
  #hidScalar = false
  /** The end of a piece that may be the first half of an escape. */
  #half = ''

  constructor(declared: DeclaredSecrets) {
    this.#declared = declared
  }

  push(piece: string): string {
    let text = this.#half + piece
    this.#half = ''
    // An escape is never divided: the part that is here waits for the rest.
    const cut = text.includes('\\', text.length - 6) ? /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text.slice(-6)) : null
    if (cut && isOdd(text)) {
      this.#half = cut[0]
      text = text.slice(0, text.length - cut[0].length)
    }
    let told = ''
    for (let at = 0; at < text.length; ) {
      const end = this.#string ? endOfString(text, at) : endOfRest(text, at)
      const part = text.slice(at, end)
      told += this.#string ? this.#inString(part) : this.#between(part)
      at = end
      if (at >= text.length) break
      if (this.#string) {
        told += this.#closeString()
        at++
      } else {
        told += this.#mark(text[at]!)
        at++
      }
    }
    return told
  }

  end(): string {
    const half = this.#half
    this.#half = ''
    const last = half === '' ? '' : this.#string ? this.#inString(half) : this.#between(half)
    if (!this.#string) return last + this.#outside.end()
    const { kind, text, stream } = this.#string
    this.#string = undefined
    if (kind === 'value') return last + stream.end()
    return last + (kind === 'judged' && text !== '' ? MASK : '')
  }

  /** Characters outside of strings: numbers, words and white space. */
  #between(part: string): string {
    if (this.#skipped !== undefined) return ''
    const value = part.trim()
    if (value === '' || this.#wantsName || value === 'null' || !this.#isDeclared()) return this.#outside.push(part)
    // A number that comes in pieces is one value.
    if (this.#hidScalar) return ''
    this.#hidScalar = true
    return part.replace(value, `"${MASK}"`)
  }

  /** A character that gives the text its structure. */
  #mark(mark: string): string {
    const before = this.#outside.end()
    this.#hidScalar = false
    if (mark === '"') return before + this.#openString()
    const hidden = this.#skipped !== undefined
    let skips = false
    if (mark === '{' || mark === '[') {
      skips = !hidden && this.#isDeclared()
      this.#stack.push({ list: mark === '[', at: mark === '[' ? 0 : '' })
      if (skips) this.#skipped = this.#stack.length
      this.#wantsName = mark === '{'
    } else if (mark === '}' || mark === ']') {
      const depth = this.#stack.length
      this.#stack.pop()
      this.#wantsName = false
      if (this.#skipped === depth) {
        this.#skipped = undefined
        return before
      }
    } else if (mark === ',') {
      const top = this.#stack.at(-1)
      if (top?.list) top.at = (top.at as number) + 1
      this.#wantsName = top?.list === false
    } else this.#wantsName = false
    if (skips) return `${before}"${MASK}"`
    return this.#skipped === undefined ? before + mark : ''
  }

  #openString(): string {
    const stream = new SecretStream(true)
    if (this.#skipped !== undefined) {
      this.#string = { kind: this.#wantsName ? 'name' : 'skipped', text: '', stream }
      return ''
    }
    const kind = this.#wantsName
      ? 'name'
      : this.#isDeclared()
        ? 'skipped'
        : namesSecret(`${this.#stack.at(-1)?.at ?? ''}`)
          ? 'judged'
          : 'value'
    this.#string = { kind, text: '', stream }
    return kind === 'skipped' ? `"${MASK}` : '"'
  }

  #inString(part: string): string {
    const string = this.#string!
    if (string.kind === 'value') return string.stream.push(part)
    if (string.text.length < MAX_WORD) string.text += part
    return string.kind === 'name' && this.#skipped === undefined ? part : ''
  }

  #closeString(): string {
    const { kind, text, stream } = this.#string!
    this.#string = undefined
    const top = this.#stack.at(-1)
    if (kind === 'name') {
      if (top) top.at = parsedString(text)
      this.#wantsName = false
    }
    if (this.#skipped !== undefined) return ''
    if (kind === 'value') return `${stream.end()}"`
    if (kind === 'judged') {
      const value = parsedString(text)
      const secret = text.length >= MAX_WORD || isSecretWord(`${top?.at ?? ''}`, value)
      if (secret) return `${MASK}"`
      return `${stream.push(text)}${stream.end()}"`
    }
    return '"'
  }

  #isDeclared(): boolean {
    return this.#declared.any && this.#declared.at(this.#stack.map(({ at }) => at))
  }
}

/** Where a string ends: at its closing quote, or with the text. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 34) return at
  }
  return text.length
}

function endOfRest(text: string, from: number): number {
  let at = from
  while (at < text.length && !'"{}[],:'.includes(text[at]!)) at++
  return at
}

/** Whether the last backslash of the text begins an escape. */
function isOdd(text: string): boolean {
  const end = text.lastIndexOf('\\')
  let at = end
  while (at >= 0 && text[at] === '\\') at--
  return (end - at) % 2 === 1
}

function parsedString(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
