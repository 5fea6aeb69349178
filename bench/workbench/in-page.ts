// Runs in the page. Times are those of `Date.now()`, because the server's clock is the same one.

/** What the measurement finds on the page as `window.bench`. */
export interface InPage {
  /** Resolves after the next frame has been painted, with the time. */
  painted(): Promise<number>
  /** Resolves with the time of the first painted frame that shows an element with this text. */
  until(selector: string, text?: string): Promise<number>
  /** Resolves with the time of the first painted frame that has no such element. */
  gone(selector: string): Promise<number>
  /** Begins to note what becomes of the conversation on the screen, and when a message with this text is there. */
  watchConversation(text: string): void
  /**
   * When the message was painted, and when the last change of the conversation was, before it was quiet for so many
   * milliseconds.
   */
  conversation(ms: number): Promise<{ first: number; last: number }>
  /** When the last answer came whose address has this in it. */
  answered(part: string): number
  /** Begins to note how long each token had waited when it was painted. */
  watchTokens(): void
  /** The ages of the tokens that were painted since, the oldest of each frame. */
  tokenAges(): { first: number; ages: number[] }
  /** Begins to note when a key or a click reached the page, and when the frame after it was painted. */
  watchInput(type: 'keydown' | 'click'): void
  inputs(): { at: number; painted: number }[]
  /** Milliseconds that a fixed piece of arithmetic takes: how fast this machine is right now. */
  calibrate(): number
}

/** The source is handed to the browser as text, so it uses nothing from outside of itself. */
export function install(): void {
  const afterPaint = (then: () => void) =>
    requestAnimationFrame(() => {
      // A message comes after the frame has been painted; a timer may be late.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => then()
      port2.postMessage(0)
    })
  const painted = () => new Promise<number>(resolve => afterPaint(() => resolve(Date.now())))
  const shows = (selector: string, text: string) =>
    [...document.querySelectorAll(selector)].some(found => found.textContent?.includes(text))
  /** Calls `look` after each painted frame in which the page changed, until `stop` is called. */
  const eachChange = (isMeant: (change: MutationRecord) => boolean, look: () => void) => {
    let waiting = false
    const observer = new MutationObserver(changes => {
      if (waiting || !changes.some(isMeant)) return
      waiting = true
      afterPaint(() => {
        waiting = false
        look()
      })
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }
  const elementOf = ({ target }: MutationRecord) => (target instanceof Element ? target : target.parentElement)
  let stopTokens = () => {}
  let stopConversation = () => {}
  let stopInput = new AbortController()
  let tokens = { first: 0, ages: [] as number[] }
  let conversation = { first: 0, last: 0 }
  let inputs: { at: number; painted: number }[] = []
  const bench: InPage = {
    painted,
    async until(selector, text = '') {
      for (;;) {
        const at = await painted()
        if (shows(selector, text)) return at
      }
    },
    async gone(selector) {
      for (;;) {
        const at = await painted()
        if (!document.querySelector(selector)) return at
      }
    },
    watchConversation(text) {
      stopConversation()
      conversation = { first: 0, last: Date.now() }
      // The conversation of another session is another element: what counts is where a change is.
      const isMeant = (change: MutationRecord) => {
        const element = elementOf(change)
        return !!element?.closest('main') && !element.closest('header, .v-deck')
      }
      stopConversation = eachChange(isMeant, () => {
        conversation.last = Date.now()
        if (conversation.first === 0 && shows('.v-scroller', text)) conversation.first = conversation.last
      })
    },
    conversation: ms =>
      new Promise(resolve => {
        const look = () => {
          if (conversation.first === 0 || Date.now() - conversation.last < ms) return void setTimeout(look, 10)
          stopConversation()
          resolve(conversation)
        }
        look()
      }),
    answered(part) {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return performance.timeOrigin + entries.findLast(({ name }) => name.includes(part))!.responseEnd
    },
    watchTokens() {
      stopTokens()
      const noted: typeof tokens = { first: 0, ages: [] }
      let newest = Date.now()
      tokens = noted
      stopTokens = eachChange(
        change => !!elementOf(change)?.closest('.v-conversation'),
        () => {
          const now = Date.now()
          const text = [...document.querySelectorAll('.v-answer')].at(-1)?.textContent?.slice(-4_000) ?? ''
          const shown = Array.from(text.matchAll(/t(\d{13})(?!\d)/g), ([, at]) => Number(at)).filter(at => at > newest)
          if (shown.length === 0) return
          if (noted.first === 0) noted.first = now - shown[0]!
          noted.ages.push(now - shown[0]!)
          newest = shown.at(-1)!
        },
      )
    },
    tokenAges: () => tokens,
    watchInput(type) {
      inputs = []
      stopInput.abort()
      stopInput = new AbortController()
      document.addEventListener(
        type,
        event => {
          const at = performance.timeOrigin + event.timeStamp
          afterPaint(() => inputs.push({ at, painted: Date.now() }))
        },
        { capture: true, signal: stopInput.signal },
      )
    },
    inputs: () => inputs,
    calibrate() {
      const since = performance.now()
      let sum = 0
      for (let index = 0; index < 20_000_000; index++) sum = (sum + index * 7) | 0
      return performance.now() - since + (sum === 1 ? 1 : 0)
    },
  }
  performance.setResourceTimingBufferSize(10_000)
  Object.assign(window, { bench })
}
