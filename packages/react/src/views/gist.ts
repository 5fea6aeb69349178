const LONGEST = 160

/** What a reasoning comes down to, as one line: the newest heading that a model gave it, or else its first words. */
export function gistOf(text: string): string {
  let first = ''
  let heading = ''
  for (const line of text.split('\n')) {
    const bare = line.trim()
    if (!bare) continue
    const named = /^(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?)$/.exec(bare)
    if (named) heading = named[1] ?? named[2] ?? ''
    else first ||= sentence(bare)
  }
  return shortened(plain(heading || first))
}

/** The first sentence of a line. */
const sentence = (line: string): string => /^.{12,}?(?:[.!?](?=\s)|[。！？])/u.exec(line)?.[0] ?? line

/** The line without the marks of Markdown. */
const plain = (line: string): string =>
  line
    .replace(/^(?:[-*+>]|\d+[.)])\s+/, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}/g, '$1')
    .trim()

function shortened(line: string): string {
  if (line.length <= LONGEST) return line
  const cut = line.slice(0, LONGEST).toWellFormed()
  const space = cut.lastIndexOf(' ')
  return `${(space > LONGEST / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
