import { foldedText } from './folded-text.ts'

// The one rule by which people find something by its words: messages, titles, commands, keys, options, and what the guide is
// asked for. Case, accents and width make no difference; of a word its beginning is enough; scripts without spaces are
// compared by neighbours.

/** A word as it is compared, and where it stands in the text. */
export interface SearchWord {
  word: string
  start: number
  end: number
  /** The word is two characters of a script that has no spaces between words, or the last one of a row of them. */
  dense: boolean
}

/** Scripts that put no space between words: every two neighbours are a word. */
const DENSE =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々'
const RUNS = new RegExp(`([${DENSE}]+)|[[\\p{L}\\p{N}\\p{M}]--[${DENSE}]]+`, 'gv')
/** Longer words are compared by their beginning. */
const LONGEST = 64

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<SearchWord> {
  for (const match of text.matchAll(RUNS)) {
    const start = match.index
    if (match[1] !== undefined) yield* pairsOf(match[1], start)
    else {
      const word = foldedText(match[0]).slice(0, LONGEST).toWellFormed()
      if (word) yield { word, start, end: start + match[0].length, dense: false }
    }
  }
}

function* pairsOf(run: string, at: number): Generator<SearchWord> {
  const characters = [...run]
  let start = at
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? ''
    yield { word: foldedText(character + next), start, end: start + character.length + next.length, dense: true }
    start += character.length
  }
}

/** Words that have to stand side by side. Of the last one the beginning is enough, because somebody may still be typing it. */
export type SearchPhrase = readonly string[]

/** The most that one search may ask for. */
const MOST_WORDS = 24

/** What a search looks for: every phrase has to be there. Empty when the search has no word. */
export function phrasesOf(search: string): SearchPhrase[] {
  const phrases: string[][] = []
  let left = MOST_WORDS
  for (const typed of search.split(/\s+/)) {
    let open: { words: string[]; dense: boolean; end: number } | null = null
    const words = [...wordsOf(typed)]
    for (const [index, { word, start, end, dense }] of words.entries()) {
      // The last character of a row is in the pair before it, unless it stands alone.
      const inPair = dense && index > 0 && words[index - 1]!.dense && words[index - 1]!.end === end
      if (inPair || left-- <= 0) continue
      const joins: boolean = open !== null && open.dense === dense && (!dense || start < open.end)
      if (joins) open!.words.push(word)
      else {
        open = { words: [word], dense, end }
        phrases.push(open.words)
      }
      open!.end = end
    }
  }
  return phrases
}

/** A place in a text, from the first character to the one behind the last. */
export interface TextRange {
  start: number
  end: number
}

/** Where the phrases stand in the text, in order and without overlaps. With `first` only the first place is looked for. */
export function placesOf(text: string, phrases: readonly SearchPhrase[], first = false): TextRange[] {
  const places: TextRange[] = []
  // A long text is read no further than the first place, where that is enough.
  const words: SearchWord[] = []
  const rest = wordsOf(text)
  const wordAt = (index: number): SearchWord | undefined => {
    while (words.length <= index) {
      const next = rest.next()
      if (next.done) return undefined
      words.push(next.value)
    }
    return words[index]
  }
  for (let index = 0; wordAt(index); index++) {
    const found = phrases.filter(phrase => stands(wordAt, index, phrase)).sort((a, b) => b.length - a.length)[0]
    if (!found) continue
    const last = words[index + found.length - 1]!
    // Of a word whose beginning was typed, that beginning is marked.
    const end = Math.min(last.end, last.start + found.at(-1)!.length)
    const before = places.at(-1)
    if (before && words[index]!.start < before.end) before.end = Math.max(before.end, end)
    else places.push({ start: words[index]!.start, end })
    if (first) break
  }
  return places
}

const stands = (wordAt: (index: number) => SearchWord | undefined, at: number, phrase: SearchPhrase): boolean =>
  phrase.every((word, index) => {
    const there = wordAt(at + index)?.word
    return index === phrase.length - 1 ? there?.startsWith(word) : there === word
  })

/**
 * Whether texts have everything that a search looks for. Where it has no word but only signs, such as `++` or `?`, these
 * have to stand in the text as they are. A search for nothing finds all.
 */
export function searchTest(search: string): (text: string) => boolean {
  const phrases = phrasesOf(search)
  const signs = foldedText(search).split(/\s+/).filter(Boolean)
  if (phrases.length > 0) return text => hasPhrases(text, phrases)
  return text => signs.every(sign => foldedText(text).includes(sign))
}

function hasPhrases(text: string, phrases: readonly SearchPhrase[]): boolean {
  const words = [...wordsOf(text)]
  return phrases.every(phrase => words.some((_, at) => stands(index => words[index], at, phrase)))
}

/** Whether a text has these words side by side and whole, in this order. */
export function hasWholeWords(text: string, wanted: string): boolean {
  const phrase = phrasesOf(wanted).flat()
  const words = [...wordsOf(text)]
  const is = (there: SearchWord | undefined, word: string) =>
    there?.word === word || (there?.dense === true && there.word.startsWith(word))
  return phrase.length > 0 && words.some((_, at) => phrase.every((word, index) => is(words[at + index], word)))
}
