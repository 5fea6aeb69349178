import { MASK } from '@vitrine/protocol'

/** Names of what must not lie in a browser's storage or stand open on a screen, however its control looks. */
const NAME = 'pass(?:word|phrase|code)|secret|token|credential|api[-_ ]?key|private[-_ ]?key|authorization'
const named = new RegExp(NAME, 'i')

export const namesSecret = (name: string): boolean => named.test(name)

/** `"name": "value"`. The names are looked at one by one. */
const PAIRS = /"([^"\\\n]{1,100})"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g
/** The same in JSON that is itself a text in JSON. */
const INNER_PAIRS = /\\"([^"\\\n]{1,100})\\"(\s*:\s*)\\"((?:[^"\\]|\\[^"])*)\\"/g
const WORD = String.raw`[\w.-]{0,40}(?:${NAME})[\w.-]{0,40}`
/** `NAME=value`, as in environments, command lines and addresses. Numbers are counts, not secrets. */
const ASSIGNED = new RegExp(String.raw`(${WORD}=)(?!\d+\b)[^\s"'\\,;&<>{}[\]()]{4,}`, 'gi')
/** `Name: value` alone on a line, as in headers and settings. */
const LINES = new RegExp(String.raw`^([ \t]*${WORD}:[ \t]?(?:(?:bearer|basic)[ \t]+)?)\S{8,}[ \t]*$`, 'gim')
/** Keys that are recognised by their shape alone, wherever they stand. */
const KEYS =
  /\b(?:sk-[\w-]{16,}|gh[oprsu]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,})|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g

/**
 * What a tool was given or gave, without the secrets in it. Nobody marks them for us, so they are found by name and by
 * shape: this protects a screen that others see, and it cannot promise to find every secret.
 */
export const maskSecrets = (text: string): string =>
  text
    .replace(PAIRS, (pair, name: string, colon: string, value: string) =>
      namesSecret(name) && value !== '' ? `"${name}"${colon}"${MASK}"` : pair,
    )
    .replace(INNER_PAIRS, (pair, name: string, colon: string, value: string) =>
      namesSecret(name) && value !== '' ? `\\"${name}\\"${colon}\\"${MASK}\\"` : pair,
    )
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(LINES, `$1${MASK}`)
    .replace(KEYS, MASK)
