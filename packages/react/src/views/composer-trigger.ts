/** What somebody has begun to write and can have completed: a command after a slash, a reference after an @. */
export interface Trigger {
  sign: '/' | '@'
  /** Where the sign stands in the text. */
  from: number
  /** What was typed behind it so far. */
  word: string
}

const COMMAND = /^\/([\p{L}\p{N}._-]*)$/u
/** An @ inside of a word belongs to an address. Scripts without spaces have words on both sides of it. */
const REFERENCE = /(?:^|[^\p{L}\p{N}_.+@-]|\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana})@([^\s@]{0,60})$/u

/** What can be completed before the caret, or null. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret)
  const command = COMMAND.exec(before)
  if (command) return { sign: '/', from: 0, word: command[1]! }
  const reference = REFERENCE.exec(before.slice(-100))
  return reference && { sign: '@', from: caret - reference[1]!.length - 1, word: reference[1]! }
}
