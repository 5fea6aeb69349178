import { placesOf, type SearchPhrase, type Snippet } from '@vitrine/protocol'

const BEFORE = 48
const LENGTH = 220

/** The part of a text around the first place where the words were found. */
export function snippetOf(text: string, phrases: readonly SearchPhrase[]): Snippet {
  const first = placesOf(text, phrases, true)[0]?.start ?? 0
  const from = first <= BEFORE ? 0 : wordStart(text, first - BEFORE, first)
  const to = Math.min(text.length, from + LENGTH)
  const cut = text.slice(from, to).toWellFormed()
  // The line below the head of a table tells that there is one. It may stand outside of what is shown.
  const bare = oneLine(withoutMarks(DELIMITERS.test(text) ? withoutCells(cut) : cut))
  const ranges = placesOf(bare, phrases)
  // A word that stands in an address or in a mark is shown where it stands.
  const shown = ranges.length > 0 ? bare : oneLine(cut)
  return {
    text: shown,
    ranges: ranges.length > 0 ? ranges : placesOf(shown, phrases),
    begins: from === 0,
    ends: to === text.length,
  }
}

/** The first place after white space, so that a snippet does not begin in the middle of a word. */
function wordStart(text: string, from: number, before: number): number {
  const space = text.slice(from, before).search(/\s/)
  return space < 0 ? from : from + space + 1
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The text without the marks of Markdown that nobody reads. */
const withoutMarks = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6} |> ?|[-*+] )/gm, '')
    .replace(/\*\*|__|`+/g, '')

/** The line below the head of a table, whole or cut: dashes and bars. */
const DELIMITERS = /^[ \t]*(?=[^\n]*\|)(?=[^\n]*-)[|:\- \t]+$/m

/** The rows of a table as their cells, with a dot between them. */
const withoutCells = (text: string): string =>
  text
    .split('\n')
    .filter(line => !DELIMITERS.test(line))
    .map(line =>
      line
        .replace(/^[ \t]*\|[ \t]*|[ \t]*(?<!\\)\|[ \t]*$/g, '')
        .replace(/[ \t]*(?<!\\)\|[ \t]*/g, ' · ')
        .replaceAll('\\|', '|'),
    )
    .join('\n')
