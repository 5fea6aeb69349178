/** Keys that are recognised by their form alone, wherever they stand. Each begins with letters that nothing else has. */
const FORMS = [
  // OpenAI, Anthropic, OpenRouter and others. A name of a style sheet has no long piece with digits.
  String.raw`sk-(?=[\w-]{0,80}\d)(?:\w{1,16}-){0,4}\w{16,}[\w-]*`,
  '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}',
  'gh[oprsu]_[A-Za-z0-9]{20,}',
  String.raw`github_pat_\w{20,}`,
  String.raw`glpat-[\w-]{20,}`,
  '(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])',
  String.raw`AIza[\w-]{35}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{20,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`xapp-[\w-]{20,}`,
  'npm_[A-Za-z0-9]{36}',
  'hf_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{40,}',
  'xai-[A-Za-z0-9]{40,}',
  'whsec_[A-Za-z0-9+/]{20,}',
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  'dop_v1_[0-9a-f]{40,}',
  String.raw`pypi-[\w-]{40,}`,
  // JSON Web Tokens.
  String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}`,
]

/** Names of what is secret. `token` alone is mostly a count or a place in a list. */
const NAME =
  '(?:pass(?:word|phrase|code|wd)|pwd|secret|api[-_]?key|private[-_]?key|access[-_]?key|credentials?' +
  '|(?:access|refresh|auth|bearer|session|client|api|bot|id|user|personal|deploy)[-_]?token' +
  '|(?<!page|next|max|sync|cursor|continuation)[-_]token(?!s))'
const SCHEME = '(?:basic|bearer|token|apikey|digest|negotiate)'
const TOKEN = String.raw`[\w.~+/=:-]`

interface Pattern {
  readonly find: RegExp
  /** Characters of a match behind the secret. */
  readonly behind: number
  /** Whether what the groups hold is really a secret. The last group is it. */
  judge?(groups: readonly string[], next: string): boolean
}

// Every quantifier is bounded or reads one class of characters to its end, so that the time is linear in the text.
const PATTERNS: readonly Pattern[] = [
  { find: new RegExp(`(?<![A-Za-z0-9_-])(${FORMS.join('|')})`, 'g'), behind: 0 },
  {
    find: new RegExp(String.raw`\bbearer[ \t]{1,4}(?=${TOKEN}{0,400}\d|${TOKEN}{24})(${TOKEN}{8,})`, 'gi'),
    behind: 0,
  },
  {
    find: new RegExp(
      String.raw`\bauthorization["']{0,2}[ \t]{0,4}[:=][ \t]{0,4}["']{0,2}(?:${SCHEME}[ \t]{1,4}(?=${TOKEN}{0,400}\d|${TOKEN}{12})|(?=${TOKEN}{0,400}\d)(?=${TOKEN}{16}))(${TOKEN}{4,})`,
      'gi',
    ),
    behind: 0,
  },
  {
    find: new RegExp(
      String.raw`(${NAME})[\w.-]{0,20}["'\`]{0,2}[ \t]{0,3}(?:=>|[:=])[ \t]{0,3}(["'\`])\2?((?:(?!\2)[^\n\\]|\\.){3,400})\2`,
      'gi',
    ),
    behind: 1,
    // A quote with a backslash is read as two quotes, and two quotes may be an empty text.
    judge: ([name, , value]) => !/^[,;:)}\]]/.test(value!) && isSecretWord(name!, value!),
  },
  {
    find: new RegExp(String.raw`(${NAME})[\w.-]{0,20}=([^\s"'\`,;&<>(){}[\]\\$]{3,400})`, 'gi'),
    behind: 0,
    judge: ([name, value], next) => isSecretWord(name!, value!) && !isCode(value!, next),
  },
  {
    // As in YAML: to the end of the line. A type of a program has no digit.
    find: new RegExp(
      String.raw`(${NAME})[\w.-]{0,20}:[ \t]{1,3}([^\s"'\`,;&<>(){}[\]\\$]{4,400})(?=[ \t]{0,20}(?:[\n\r,]|$))`,
      'gi',
    ),
    behind: 0,
    judge: ([name, value]) => /\d/.test(value!) && isSecretWord(name!, value!) && !isCode(value!, ''),
  },
  {
    // Name and password in an address.
    find: /:\/\/([^\s/:@"'<>\\?#]{0,100}):([^\s/@"'<>\\?#]{1,200})@/g,
    behind: 1,
    judge: ([, value]) => isSecretWord('password', value!) && !value!.includes('$'),
  },
]

/** Without any of these there is no secret of a known form, and nothing more is looked for. */
const HINT =
  /sk[-_]|gh[oprsu]_|github_pat|glpat|akia|asia|aiza|ya29|gocspx|xox|xapp-|npm_|hf_|gsk_|xai-|rk_|whsec|sg\.|dop_v1|pypi-|eyj|bearer|authorization|pass|pwd|secret|(?:api|private|access)[-_]?key|token|credential|:\/\/|-----begin/i

/** Words that stand in documents, forms and programs where a secret would stand. */
const HARMLESS =
  /^(?:string|str|text|number|int|bool(?:ean)?|object|null|none|nil|true|false|undefined|required|optional|redacted|hidden|masked|example|changeme|your\W.*|x+|\*+|\.+|•+|<.*|\$.*|%.*|\{.*|[-_]+)$/i

/** Whether a value that is called so is a secret, and not a label, a type, a count, a place-holder or a name. */
export function isSecretWord(name: string, value: string): boolean {
  if (value.length < 3 || /\s/.test(value) || HARMLESS.test(value)) return false
  if (/^\d+(?:\.\d+)?$/.test(value)) return /^p/i.test(name)
  // A field of a program is called like what it holds: password=newPassword, secret: 'client-secret'.
  return !(isIdentifier(value) && /pass|pwd|secret|token|key|credential/i.test(value))
}

const isIdentifier = (value: string): boolean => /^[A-Za-z_][A-Za-z_.-]*$/.test(value)

/** Whether it reads like a part of a program: a path of names, or a name that is called or handed on. */
const isCode = (value: string, next: string): boolean =>
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || (isIdentifier(value) && /^[(),.[\]]/.test(next))

const SECRET_NAME = new RegExp(`${NAME}$|^authorization$|^x-api-key$|^token$`, 'i')

/** Whether a field of this name holds a secret. */
export const namesSecret = (name: string): boolean => name.length <= 100 && SECRET_NAME.test(name)

const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_BODY = /[\sA-Za-z0-9+/=:,.()-]*/y
const KEY_ENDS = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y

/** A secret in a text: from `start` up to and without `end`. */
export interface SecretRange {
  start: number
  end: number
}

/** Where secrets of known forms stand in a text, in order and without overlaps. */
export function secretRanges(text: string): SecretRange[] {
  if (!HINT.test(text)) return []
  const found: SecretRange[] = []
  for (const { find, behind, judge } of PATTERNS) {
    for (const match of text.matchAll(find)) {
      const end = match.index + match[0].length - behind
      const groups = match.slice(1)
      if (judge && !judge(groups, text[end + behind] ?? '')) continue
      found.push({ start: end - groups.at(-1)!.length, end })
    }
  }
  KEY_BEGINS.lastIndex = 0
  for (let head = KEY_BEGINS.exec(text); head; head = KEY_BEGINS.exec(text)) {
    const range = keyRange(text, head.index, KEY_BEGINS.lastIndex)
    if (!range) continue
    found.push(range)
    KEY_BEGINS.lastIndex = range.end
  }
  return joined(found)
}

/** A private key: from its first line to its last one, or to where it stops to look like one. */
function keyRange(text: string, start: number, bodyAt: number): SecretRange | undefined {
  // Who only names the first line of a key, as programs do, has no key.
  if (!/^\s+[A-Za-z0-9+/=:-]{8}/.test(text.slice(bodyAt, bodyAt + 40))) return undefined
  KEY_BODY.lastIndex = bodyAt
  const body = KEY_BODY.exec(text)![0]
  const last = body.indexOf('-----END')
  if (last < 0) return { start, end: bodyAt + body.length }
  KEY_ENDS.lastIndex = bodyAt + last
  return { start, end: KEY_ENDS.exec(text) ? KEY_ENDS.lastIndex : bodyAt + body.length }
}

function joined(ranges: SecretRange[]): SecretRange[] {
  const all: SecretRange[] = []
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else all.push({ ...range })
  }
  return all
}

/** How a text ends that a secret may follow: nothing of it may be decided before more has come. */
const OPENERS = new RegExp(
  String.raw`(?:${NAME}[\w.-]{0,20}["'\`]{0,2}[ \t]{0,3}(?:=>?|:)?[ \t]{0,3}["'\`]{0,2}|bearer[ \t]{0,4}|authorization["']{0,2}[ \t]{0,4}[:=]?[ \t]{0,4}["']{0,2}(?:${SCHEME}[ \t]{0,4})?|-----BEGIN[ A-Z0-9]{0,90}(?:KEY(?: BLOCK)?-----)?\s{0,4})$`,
  'i',
)
const OPENS = /pass|pwd|secret|(?:api|private|access)[-_]?key|credential|token|bearer|authorization|-----begin/i
const OPENER_LENGTH = 160

/** Where the end of a text begins that may announce a secret; the length of the text when it does not. */
export function openerAt(text: string): number {
  const from = Math.max(0, text.length - OPENER_LENGTH)
  const end = text.slice(from)
  const match = OPENS.test(end) ? OPENERS.exec(end) : null
  return match ? from + match.index : text.length
}

/** Where a private key begins that does not end in the text; -1 when there is none. */
export function openKeyAt(text: string): number {
  const at = text.lastIndexOf('-----BEGIN ')
  if (at < 0) return -1
  KEY_BEGINS.lastIndex = 0
  const head = KEY_BEGINS.exec(text.slice(at, at + 120))
  if (head?.index !== 0) return -1
  const range = keyRange(text, at, at + head[0].length)
  return range?.end === text.length && !/KEY(?: BLOCK)?-----$/.test(text.slice(-20)) ? at : -1
}
