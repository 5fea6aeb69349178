import type { VitrineClient } from '@vitrine/client'
import { readAnswer } from '../read-answer.ts'
import { readStored, writeStored } from '../stored.ts'

/** What an element of the page shows. */
export type MediaKind = 'image' | 'video' | 'audio'

const KEY = 'vitrine.mediaHosts'
/** As many as the browser can spare: it has six connections to the server, and one of them is the stream. */
const LOADING = 3

/**
 * Which media from elsewhere a person wants to see: from which hosts always, and which addresses this time. Their host
 * learns of nobody before that (C10).
 */
export class MediaChoices {
  readonly #client: VitrineClient
  readonly #listeners = new Set<() => void>()
  /** The addresses that the person asked for, for as long as the page is open. */
  readonly #clicked = new Set<string>()
  /** The sizes of pictures that were loaded, so that they keep their place when they come into view again. */
  readonly #sizes = new Map<string, { width: number; height: number }>()
  readonly #waiting: (() => void)[] = []
  #loading = 0
  #hosts: readonly string[] = storedHosts()
  #ofServer: readonly string[] = []
  #asked = false
  #version = 0

  constructor(client: VitrineClient) {
    this.#client = client
  }

  /** The hosts that the person chose, and those of the server's configuration. */
  get hosts(): readonly string[] {
    return this.#hosts
  }

  get serverHosts(): readonly string[] {
    return this.#ofServer
  }

  /** Grows with each change. */
  version = (): number => this.#version

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks the server once which hosts it allows; nobody needs to know before there is something to show. */
  load(): void {
    if (this.#asked) return
    this.#asked = true
    readAnswer<'MediaHosts'>(this.#client, '/media/hosts').then(answer => {
      this.#asked = answer !== null
      if (!answer || answer.hosts.length === 0) return
      this.#ofServer = answer.hosts
      this.#tell()
    })
  }

  /** The address on our own server under which a medium can be loaded now; null when the person has to be asked. */
  source(url: string, kind: MediaKind): string | null {
    const clicked = this.#clicked.has(url)
    if (!clicked && !this.allows(hostOf(url))) return null
    const query = new URLSearchParams({ url, as: kind, ...(clicked && { clicked: '1' }) })
    return `${this.#client.api.baseUrl}/media?${query}`
  }

  allows(host: string): boolean {
    return this.#hosts.includes(host) || this.#ofServer.some(pattern => matches(pattern, host))
  }

  show(url: string): void {
    this.#clicked.add(url)
    this.#tell()
  }

  allow(host: string): void {
    this.#keep([...this.#hosts.filter(other => other !== host), host])
  }

  forget(host: string): void {
    for (const url of this.#clicked) if (hostOf(url) === host) this.#clicked.delete(url)
    this.#keep(this.#hosts.filter(other => other !== host))
  }

  size(url: string): { width: number; height: number } | undefined {
    return this.#sizes.get(url)
  }

  loaded(url: string, width: number, height: number): void {
    if (width > 0 && height > 0) this.#sizes.set(url, { width, height })
  }

  /** Calls `start` when it is this picture's turn to load. The function that it gives ends the turn. */
  queue(start: () => void): () => void {
    let state: 'waits' | 'loads' | 'ended' = 'waits'
    const begin = () => {
      state = 'loads'
      this.#loading++
      start()
    }
    if (this.#loading < LOADING) begin()
    else this.#waiting.push(begin)
    return () => {
      if (state === 'waits') this.#waiting.splice(this.#waiting.indexOf(begin), 1)
      if (state === 'loads') {
        this.#loading--
        this.#waiting.shift()?.()
      }
      state = 'ended'
    }
  }

  #keep(hosts: readonly string[]): void {
    this.#hosts = hosts
    writeStored(KEY, hosts)
    this.#tell()
  }

  #tell(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}

/** The host of an address as people can check it: in ASCII, with a port that is not the usual one. */
export const hostOf = (url: string): string => new URL(url).host

const matches = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** Anything may stand in the storage of a browser. */
function storedHosts(): string[] {
  const stored = readStored<unknown>(KEY, [])
  return Array.isArray(stored) ? stored.filter(host => typeof host === 'string') : []
}
