/** Pieces as the o200k tokenizer cuts them before it looks for tokens. */
const pieces = /[^\s\p{L}\p{N}]?\p{Lu}*\p{L}(?:\p{Ll}|\p{Lo}|\p{M})*|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu

/**
 * How many tokens a text takes, about: for budgets and comparisons where a tokenizer of a megabyte is too much.
 * Within a tenth or so of o200k for JSON, prose and Chinese.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) tokens += cost(piece)
  return Math.ceil(tokens)
}

function cost(piece: string): number {
  if (/^\s+$/.test(piece)) return piece === ' ' ? 0 : 1
  if (/^\p{N}/u.test(piece)) return 1
  const wide = piece.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0
  if (wide > 0) return wide * 0.68 + (piece.length - wide > 0 ? 0.8 : 0)
  if (!/\p{L}/u.test(piece)) return Math.max(1, piece.trimStart().length / 3)
  // A mark that sticks to the word is a token of its own as often as not.
  const mark = /^[^\s\p{L}"_.]/u.test(piece) ? 0.6 : 0
  return mark + 1 + Math.max(0, piece.length - 8) / 6
}
