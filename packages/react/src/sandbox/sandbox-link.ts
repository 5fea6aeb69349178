/** Why a sandbox was cut off: it left its place, would not stop sending, or kept taking the focus of the page. */
export type SandboxLoss = 'navigated' | 'flooded' | 'focused'

/** More messages than this in a second are no conversation. */
const MOST_MESSAGES = 200

interface Options {
  onMessage(message: unknown): void
  onLost(loss: SandboxLoss): void
  now?: () => number
}

/**
 * The one line between the page and a sandbox. Its document has no origin that could be checked, so the port itself is
 * the identity: it is handed over once, to the first document, and it ends when another document takes that one's place.
 */
export class SandboxLink {
  readonly #options: Options
  #port: MessagePort | undefined
  #loads = 0
  #second = 0
  #messages = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** The frame has loaded a document. True when the port was handed to it. */
  loaded(target: Pick<Window, 'postMessage'>): boolean {
    this.#loads++
    if (this.#loads > 1) {
      this.#lose('navigated')
      return false
    }
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => this.#take(data)
    this.#port = port1
    // The origin of a sandbox is opaque: no other word than * reaches it. The message holds nothing but the port.
    target.postMessage('vitrine.port', '*', [port2])
    return true
  }

  send(message: unknown): void {
    this.#port?.postMessage(message)
  }

  /** Ends it because the frame would not leave the focus where the person has it. */
  tookFocus(): void {
    this.#lose('focused')
  }

  close(): void {
    this.#port?.close()
    this.#port = undefined
  }

  #take(message: unknown): void {
    if (!this.#port) return
    const second = Math.floor((this.#options.now?.() ?? performance.now()) / 1000)
    this.#messages = second === this.#second ? this.#messages + 1 : 1
    this.#second = second
    if (this.#messages > MOST_MESSAGES) this.#lose('flooded')
    else this.#options.onMessage(message)
  }

  #lose(loss: SandboxLoss): void {
    this.close()
    this.#options.onLost(loss)
  }
}
