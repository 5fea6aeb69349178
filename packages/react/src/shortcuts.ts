import { readStored } from './stored.ts'

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** How a key is written on its cap on this computer. */
const caps: Readonly<Record<string, string>> = {
  Mod: mac ? '⌘' : 'Ctrl',
  Shift: mac ? '⇧' : 'Shift',
  Alt: mac ? '⌥' : 'Alt',
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}

/** What the keyboard of another language has in the place of a letter or a sign. */
const codes: Readonly<Record<string, string>> = { '\\': 'Backslash', '.': 'Period', '/': 'Slash', ';': 'Semicolon' }

/** The combinations of a shortcut that are pressed one after the other: `Escape Escape` has two. */
const steps = (keys: string): string[][] => keys.split(' ').map(step => step.split('+'))

/** The caps of a shortcut such as `Mod+Shift+O`, for each combination that is pressed one after the other. */
export const capsOf = (keys: string): string[][] => steps(keys).map(step => step.map(key => caps[key] ?? key))

/** A shortcut in a line of text, such as Ctrl+Shift+O. */
export const keyWords = (keys: string): string =>
  capsOf(keys)
    .map(step => step.join(mac ? '' : '+'))
    .join(' ')

/** A shortcut as `aria-keyshortcuts` has it. */
export const ariaKeys = (keys: string): string =>
  steps(keys)
    .map(step => step.map(key => (key === 'Mod' ? (mac ? 'Meta' : 'Control') : key)).join('+'))
    .join(' ')

/** A shortcut from what `aria-keyshortcuts` says. */
export const keysFromAria = (said: string): string => said.replaceAll(/\b(?:Meta|Control)\b/g, 'Mod')

/** Whether an event of the keyboard is the combination `keys`, such as `Mod+Shift+O`. */
export function isPressed(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.at(-1)!
  const mod = mac ? event.metaKey : event.ctrlKey
  const other = mac ? event.ctrlKey : event.metaKey
  if (other || mod !== parts.includes('Mod') || event.altKey !== parts.includes('Alt')) return false
  // A sign such as ? needs Shift on one keyboard and not on another one.
  const sign = key.length === 1 && !/[a-z]/i.test(key)
  if (event.shiftKey !== parts.includes('Shift') && !(sign && parts.length === 1)) return false
  if (event.key.toLowerCase() === key.toLowerCase()) return true
  const latin = /^[ -~]$/.test(event.key)
  const code = codes[key] ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : null)
  return parts.length > 1 && (!latin || codes[key] !== undefined) && event.code === code
}

/** Where single letters act while something in it has the focus. */
const LETTER_PLACES = '.v-scroller, .v-sessions, .v-request, .v-queue, .v-task-tree'
const TAKES_TEXT =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]:not([contenteditable="false"])'
/** What has keys of its own, beside those that press it. */
const TAKES_KEYS = `${TAKES_TEXT}, iframe, audio, video, [role="combobox"], [role="listbox"], [role="slider"], [role="tree"], [role="grid"]`

/** The name of the setting that switches shortcuts of one letter off (WCAG 2.1.4). */
export const LETTERS = 'vitrine.letters'

/** Whether the person has left shortcuts of one sign on. */
export const signsOn = (): boolean => readStored(LETTERS, true)

/** Whether something that covers the page has the keys. */
export const isCovered = (): boolean => document.querySelector('dialog[open], [popover="auto"]:popover-open') !== null

const isPlain = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing

/** Whether a shortcut of one sign, such as ?, may act: nobody is writing, and nobody has switched them off. */
export function signsAct(event: KeyboardEvent): boolean {
  const writes = event.target instanceof Element && event.target.closest(TAKES_TEXT)
  return !writes && isPlain(event) && signsOn()
}

const POINTED = 'pointed'

/**
 * Notes whether the focus was last put somewhere by a pointer. The browser's own `:focus-visible` does not tell it: that
 * becomes true with the first key. The returned function stops it.
 */
export function watchFocus(): () => void {
  const { dataset } = document.documentElement
  let pressing = false
  const press = () => {
    pressing = true
    dataset[POINTED] = ''
  }
  const release = () => {
    pressing = false
  }
  const focus = () => {
    if (!pressing) delete dataset[POINTED]
  }
  document.addEventListener('mousedown', press, true)
  document.addEventListener('mouseup', release, true)
  // What is dragged is let go without it.
  document.addEventListener('dragend', release, true)
  document.addEventListener('focusin', focus, true)
  return () => {
    document.removeEventListener('mousedown', press, true)
    document.removeEventListener('mouseup', release, true)
    document.removeEventListener('dragend', release, true)
    document.removeEventListener('focusin', focus, true)
  }
}

/** Whether the focus was last put somewhere by a mouse, whose user goes on by typing. */
export const isPointed = (): boolean =>
  document.documentElement.dataset[POINTED] !== undefined && matchMedia('(pointer: fine)').matches

/**
 * Whether a single letter is a shortcut here: the focus was put into a message, a list or a card by key. After a click,
 * typing goes to the composer.
 */
export function lettersAct(event: KeyboardEvent): boolean {
  const { target } = event
  return (
    signsAct(event) &&
    target instanceof Element &&
    target.closest(LETTER_PLACES) !== null &&
    document.documentElement.dataset[POINTED] === undefined
  )
}

/**
 * For a button that goes away with what it does. Called when it is pressed, it returns what to call when it was done: who
 * has not gone elsewhere goes on where they write. By touch that would open the keyboard, so there it is the conversation.
 */
export function goOnWriting(): () => void {
  const pressed = document.activeElement
  return () => {
    const now = document.activeElement
    if (now !== null && now !== document.body && now !== pressed) return
    const place = matchMedia('(pointer: fine)').matches ? '[data-composer]' : '.v-scroller'
    document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true })
  }
}

/** Puts the focus into the composer when somebody just begins to type. The letter itself then arrives there. */
export function typeIntoComposer(event: KeyboardEvent): void {
  const { target, key } = event
  // Space presses and scrolls, and begins no text.
  if (event.defaultPrevented || !isPlain(event) || [...key].length !== 1 || key === ' ') return
  if (isCovered() || lettersAct(event)) return
  if (target instanceof Element && target.closest(TAKES_KEYS)) return
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
}
