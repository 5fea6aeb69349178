import type { VitrineClient } from '@vitrine/client'
import { createContext, useContext, useEffect, useState } from 'react'
import { readAnswer } from '../read-answer.ts'

/** A path that counts for less than this is not used any more: what the document loads later has to count too. */
const LEAST_MS = 10 * 60_000
const MOST_HEIGHTS = 200

/** Finds the addresses of sandboxes, each once for as long as it counts. */
export class SandboxDocuments {
  readonly #client: VitrineClient
  readonly #known = new Map<string, { url: string; expiresAt: number }>()
  readonly #asked = new Map<string, Promise<string | null>>()
  readonly #heights = new Map<string, number>()

  constructor(client: VitrineClient) {
    this.#client = client
  }

  /** The address of the document with this name; null when the server has none or does not answer. */
  address(name: string): Promise<string | null> {
    const known = this.#known.get(name)
    if (known && known.expiresAt - Date.now() > LEAST_MS) return Promise.resolve(known.url)
    const asked = this.#asked.get(name) ?? this.#ask(name).finally(() => this.#asked.delete(name))
    this.#asked.set(name, asked)
    return asked
  }

  /** A document that did not come: the next one asks for another address. */
  forget(name: string): void {
    this.#known.delete(name)
  }

  /** How high a content was, so that one that comes into view again keeps its place. */
  height(content: string): number | undefined {
    return this.#heights.get(content)
  }

  keepHeight(content: string, height: number): void {
    this.#heights.delete(content)
    this.#heights.set(content, height)
    const [oldest] = this.#heights.keys()
    if (this.#heights.size > MOST_HEIGHTS && oldest !== undefined) this.#heights.delete(oldest)
  }

  async #ask(name: string): Promise<string | null> {
    const answer = await readAnswer<'Sandbox'>(this.#client, `/sandboxes/${name}`)
    if (!answer) return null
    const url = new URL(answer.url, this.#client.api.baseUrl).href
    this.#known.set(name, { url, expiresAt: answer.expiresAt })
    return url
  }
}

/** Without a server behind the page there are no sandboxes. */
export const SandboxContext = createContext<SandboxDocuments | null>(null)

/** The address of a sandbox, once it is wanted and found; null when there is none. */
export function useSandboxAddress(name: string, wanted: boolean): string | null | undefined {
  const documents = useContext(SandboxContext)
  const [found, setFound] = useState<string | null>()
  useEffect(() => {
    if (!wanted || !documents) return
    let current = true
    documents.address(name).then(url => current && setFound(url))
    return () => {
      current = false
    }
  }, [documents, name, wanted])
  return found
}
