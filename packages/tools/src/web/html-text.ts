import { Parser } from 'htmlparser2'

/** What a page says: its title, and its text as Markdown. */
export interface PageText {
  readonly title: string
  readonly text: string
}

/** What holds nothing to read, or what nobody is meant to see. */
const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'canvas',
  'iframe',
  'object',
  'embed',
  'audio',
  'video',
  'map',
  'select',
  'button',
  'input',
  'textarea',
  'dialog',
  'nav',
  'menu',
])
/** Elements that stand on lines of their own. */
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'figure',
  'figcaption',
  'address',
  'dl',
  'dt',
  'dd',
  'ul',
  'ol',
  'li',
  'table',
  'tr',
  'form',
  'fieldset',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'details',
  'summary',
  'body',
])
const VOID = new Set([
  'br',
  'hr',
  'img',
  'input',
  'meta',
  'link',
  'wbr',
  'source',
  'area',
  'base',
  'col',
  'embed',
  'track',
])
const MOST_TEXT = 400_000
const MOST_TITLE = 300
/** What is nested deeper is left out. No page that people read is. */
const MOST_DEPTH = 1_000
/** A part of a page that is shorter than this is not taken for all of it. */
const LEAST_MAIN = 500

/** Makes readable text of HTML. It takes time in proportion to the page, and stops when the text is long enough. */
export function htmlText(html: string, base: URL): PageText {
  const page = new PageReader(base)
  const parser = new Parser(page, { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false })
  // In pieces, so that a page which is all markup can be left in the middle.
  for (let at = 0; at < html.length && !page.isFull; at += 65_536) parser.write(html.slice(at, at + 65_536))
  parser.end()
  return page.text()
}

interface Open {
  readonly name: string
  readonly hides: boolean
  readonly href?: string
  readonly start: number
}

class PageReader {
  readonly #base: URL
  readonly #open: Open[] = []
  readonly #names = new Set<string>()
  readonly #pieces: string[] = []
  #length = 0
  #hidden = 0
  #pre = 0
  #title = ''
  #inTitle = false
  /** The pieces of the main part of the page, when it has one. */
  #main: { from: number; to: number } | undefined
  readonly #lists: { ordered: boolean; count: number }[] = []

  constructor(base: URL) {
    this.#base = base
  }

  get isFull(): boolean {
    return this.#length > MOST_TEXT
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === 'title' && this.#title === '') this.#inTitle = true
    if (VOID.has(name)) {
      if (name === 'br') this.#add('\n')
      if (name === 'hr') this.#add('\n\n---\n\n')
      if (name === 'img' && attributes.alt?.trim()) this.#add(`[image: ${plain(attributes.alt).slice(0, 300)}]`)
      return
    }
    const tooDeep = this.#open.length > MOST_DEPTH
    const hides = name === 'head' || tooDeep || SKIPPED.has(name) || isHidden(attributes)
    if (hides) this.#hidden++
    const href = name === 'a' && attributes.href !== undefined ? this.#address(attributes.href) : undefined
    this.#names.add(name)
    this.#open.push({ name, hides, start: this.#pieces.length, ...(href !== undefined && { href }) })
    if (BLOCKS.has(name)) this.#add(name === 'li' || name === 'tr' || name === 'dt' || name === 'dd' ? '\n' : '\n\n')
    if (/^h[1-6]$/.test(name)) this.#add(`${'#'.repeat(Number(name[1]))} `)
    if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', count: 0 })
    if (name === 'li') this.#item()
    if (name === 'blockquote') this.#add('> ')
    if (name === 'td' || name === 'th') this.#add(this.#atLineStart ? '| ' : ' | ')
    if (name === 'pre') {
      this.#add('```\n')
      this.#pre++
    } else if (name === 'code' && this.#pre === 0) this.#add('`')
  }

  onclosetag(name: string): void {
    if (name === 'title') this.#inTitle = false
    // What was never opened is not closed; what was never closed ends with what is around it.
    if (!this.#names.has(name)) return
    const at = this.#open.findLastIndex(one => one.name === name)
    if (at === -1) return
    for (const one of this.#open.splice(at).reverse()) this.#close(one)
  }

  ontext(text: string): void {
    if (this.#inTitle) this.#title = (this.#title + text).slice(0, MOST_TITLE)
    else if (this.#pre > 0) this.#add(text)
    else this.#add(this.#atLineStart ? text.replace(/\s+/g, ' ').trimStart() : text.replace(/\s+/g, ' '))
  }

  text(): PageText {
    while (this.#open.length > 0) this.#close(this.#open.pop()!)
    const tidy = (pieces: string[]): string =>
      pieces
        .join('')
        .replace(/[^\S\n]+\n/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
        .toWellFormed()
    const main = this.#main ? tidy(this.#pieces.slice(this.#main.from, this.#main.to)) : ''
    return { title: plain(this.#title), text: main.length >= LEAST_MAIN ? main : tidy(this.#pieces) }
  }

  #close({ name, hides, href, start }: Open): void {
    if (name === 'pre') {
      this.#pre--
      this.#add('\n```')
    } else if (name === 'code' && this.#pre === 0) this.#add('`')
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (href !== undefined && this.#hidden === 0) {
      const label = plain(this.#pieces.splice(start).join('')).slice(0, 500)
      if (label !== '') this.#pieces.push(label === href ? href : `[${label}](${href})`)
    }
    if (BLOCKS.has(name)) this.#add(name === 'li' || name === 'tr' ? '\n' : '\n\n')
    if (hides) this.#hidden--
    if ((name === 'main' || name === 'article') && this.#hidden === 0) {
      const { from, to } = this.#main ?? { from: 0, to: 0 }
      // The longest part counts: a page may have many small articles.
      if (this.#pieces.length - start > to - from) this.#main = { from: start, to: this.#pieces.length }
    }
  }

  get #atLineStart(): boolean {
    const last = this.#pieces.at(-1)
    return last === undefined || last.endsWith('\n')
  }

  #item(): void {
    const list = this.#lists.at(-1)
    if (list) list.count++
    const indent = '  '.repeat(Math.min(Math.max(this.#lists.length - 1, 0), 8))
    this.#add(list?.ordered ? `${indent}${list.count}. ` : `${indent}- `)
  }

  #add(piece: string): void {
    if (this.#hidden > 0 || piece === '' || this.isFull) return
    this.#pieces.push(piece)
    this.#length += piece.length
  }

  #address(href: string): string | undefined {
    if (href.length > 2_000 || !URL.canParse(href, this.#base.href)) return undefined
    const url = new URL(href, this.#base)
    return /^https?:$/.test(url.protocol) && !href.startsWith('#') ? url.href : undefined
  }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Text that people do not see is not given to a model either. */
const isHidden = ({ hidden, style = '', 'aria-hidden': aria }: Record<string, string>): boolean =>
  hidden !== undefined ||
  aria === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])/i.test(style)
