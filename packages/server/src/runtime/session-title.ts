import type { AgentCommand } from '@vitrine/protocol'

/** How long a title may be: characters of scripts with spaces, and of those without, which are wider. */
const MOST = { spaced: 60, dense: 30 }
/** A clause that is shorter than this says too little to be cut there. */
const LEAST = { spaced: 18, dense: 6 }

const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

const GREETINGS = [
  /^(hi|hello|hey|hiya|good (morning|afternoon|evening)|dear \p{L}+)( there| all| everyone| team)?(?=[\s,.!]|$)/iu,
  /^(你好|您好|嗨|早上好|下午好|晚上好|大家好)(?=[\s，。,！!、]|$)/u,
]

/** What people say before they say what they want. */
const POLITE = [
  ...GREETINGS,
  /^(please|pls|kindly|thanks|thank you|okay|ok|so|well|now)(?=[\s,.!]|$)/iu,
  /^(can|could|would|will) you( please| kindly)?( help me( to)?)?(?=\s)/iu,
  /^(i want you to|i would like you to|i'd like you to|i need you to|i want to|i would like to|i'd like to)(?=\s)/iu,
  /^(help me( to)?|let us|let's)(?=\s)/iu,
  /^(谢谢|好的)(?=[\s，。,！!、]|$)/u,
  /^(请问|请你|请您|麻烦你|麻烦您|麻烦|请)?(能不能|可不可以|可以|能)?(帮我|帮忙|帮)/u,
  /^(请问|请你|请您|麻烦你|麻烦您|请)/u,
  /^(能不能|可不可以)/u,
]

/** What agents say before they say what it is about. */
const PREAMBLE = [
  ...POLITE,
  /^(sure( thing)?|certainly|of course|absolutely|great question|good question|got it|understood|yes|no)(?=[\s,.!:—-]|$)/iu,
  /^(here is|here's|here are|this is|these are|below is|below are)(?=\s)/iu,
  /^(当然可以|当然|没问题|以下是|这是|下面是)/u,
]

/** What people say when what they mean stands elsewhere: the answer knows more. */
const VAGUE =
  /^((what( is|'s| does)|fix|explain|review|check|improve|summari[sz]e|translate|look at|read|see|do|try|run|continue|go on|help|test|testing|yes|no|ok|okay|thanks|这个|这是什么|解释|总结|翻译|继续|看看|测试)\s*)?((this|that|it|these|the following|below|above|here|一下|这个|这段|下面|代码|code|text|error|mean)\s*)*[?？!！.。:：]*$/iu

/** The title of a session in which nobody has said anything that could be its title. */
const UNTITLED = 'New session'

/**
 * The title of a session, from what a person asked first. When the question says too little, the answer is asked. A command
 * of the agent is called by what the agent says of it. No model writes it: it is made of words that were said.
 */
export function titleOf(asked: string, answered = '', commands: readonly AgentCommand[] = []): string {
  const said = plain(ofCommand(asked, commands))
  // The answer to a greeting is a greeting.
  const question = isGreeting(said) ? said : leading(said, POLITE)
  const vague = question === '' || VAGUE.test(question)
  if (isWordless(asked)) return signsOf(asked) || UNTITLED
  return (vague && fromAnswer(answered)) || shortened(question || said) || UNTITLED
}

/** Whether the first turn that says more gives the session another title than this one. */
export const isProvisional = (title: string): boolean => title === UNTITLED || isWordless(title) || isGreeting(title)

/** Signs alone, such as a waving hand: nothing that a title could be made of. */
const isWordless = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)

const signsOf = (text: string): string => [...text.replace(/\s+/g, ' ').trim()].slice(0, 12).join('').toWellFormed()

/** Whether a text greets and says nothing else, perhaps with the name of whom it greets. */
export function isGreeting(text: string): boolean {
  const said = plain(text)
  const rest = leading(said, GREETINGS)
  return rest !== said && /^[\p{L}'’-]*[\s.!…]*$/u.test(rest) && !DENSE.test(rest)
}

/** What a command does, in its first clause, in place of a text that is only that command. Any other text is as it was. */
function ofCommand(asked: string, commands: readonly AgentCommand[]): string {
  const name = /^\s*\/([\p{L}\p{N}_-]+)\s*$/u.exec(asked)?.[1]
  if (name === undefined) return asked
  const does = plain(commands.find(command => command.name === name)?.description ?? '')
  return /^.*?(?=[,;:.!?](\s|$)|[，；：。！？]|\s[–—(-]|\n|$)/u.exec(does)?.[0].trim() || name.replace(/[_-]+/g, ' ')
}

function fromAnswer(answered: string): string {
  const heading = /^#{1,4}[ \t]+(.+)$/m.exec(withoutCode(answered))?.[1]
  return shortened(leading(plain(heading ?? answered), PREAMBLE))
}

/** Without blocks of code, which never say what a session is about. */
const withoutCode = (text: string): string =>
  text.replace(/^[ \t]*(```|~~~)[\s\S]*?(^[ \t]*\1[ \t]*$|(?![\s\S]))/gm, '\n')

/** The words without marks of Markdown, each paragraph, heading and item of a list as a line. */
const plain = (text: string): string =>
  withoutCode(text.slice(0, 4_000))
    .replace(/<[^<>\n]{1,200}>/g, ' ')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\bhttps?:\/\/(www\.)?([^\s/]+)\S*/g, '$2')
    .replace(/^[ \t]*(#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|\d+[.)][ \t]+)+/gm, '')
    .replace(/\*\*|__|`+|^\|/gm, '')
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => /[\p{L}\p{N}]/u.test(line))
    .join('\n')
    .toWellFormed()

/** Takes off what is said first, again and again: "Hi, could you please …". */
function leading(text: string, said: readonly RegExp[]): string {
  for (let rest = text; ; ) {
    const next = said.reduce((left, one) => left.replace(one, '').replace(/^[\s,.!:;，。！：、—-]+/u, ''), rest)
    if (next === rest) return rest
    rest = next
  }
}

/** The first sentence, cut at a clause when it is too long. */
function shortened(text: string): string {
  const sentence = /^.*?(?=[.!?。！？](\s|$)|[。！？]|\n|$)[?？]?/u.exec(text)?.[0] ?? ''
  const kind = DENSE.test(sentence) ? 'dense' : 'spaced'
  return sentenceCase(cut(sentence, MOST[kind], LEAST[kind]).replace(/[\s,.;:!，。；：！、]+$/u, ''))
}

function cut(text: string, most: number, least: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = characters.slice(0, most).join('')
  const clause = Math.max(...[...head.matchAll(/[,;:，；：、]|\s[–—-]\s|\s\(/gu)].map(({ index }) => index), -1)
  if ([...head.slice(0, Math.max(clause, 0))].length >= least) return head.slice(0, clause)
  const space = head.slice(0, -1).lastIndexOf(' ')
  return `${(space > least ? head.slice(0, space) : characters.slice(0, most - 1).join('')).replace(/[\s,;:，；：、]+$/u, '')}…`
}

/** The first word begins with a capital, unless it is a name such as `iPhone` or `utf-8`. Shouting is calmed. */
function sentenceCase(text: string): string {
  const letters = text.replace(/[^\p{L}]/gu, '')
  const shouts = letters.length > 8 && text.includes(' ') && letters === letters.toUpperCase() && /[A-Z]/.test(letters)
  const calm = shouts ? text.toLowerCase() : text
  const [first = ''] = calm.split(/[\s,]/u, 1)
  return /^\p{Ll}[\p{Ll}'’-]*$/u.test(first) ? calm.charAt(0).toUpperCase() + calm.slice(1) : calm
}
