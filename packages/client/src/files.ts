// Files that go with a turn. This is an entry of its own, so that whoever does not need it does not load it.

import type { Answer, Problem } from '@vitrine/protocol'
import { sessionPath } from './commands.ts'
import { closed, problemOf, problemOfError } from './problem.ts'
import type { Outcome, VitrineClient } from './types.ts'

/** How an upload is told of, and how it is stopped. */
export interface UploadOptions {
  /** The idempotency key: sent again under it, it is the same file. */
  key: string
  /** How much of the file has left, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

type Uploaded = Outcome<Answer<'FileUploaded'>>

/**
 * Stores a file for a turn to come, and says what became of it. It never throws. XMLHttpRequest carries it, because fetch
 * cannot tell how much of a body has left; a client with a `fetch` of its own gets no progress.
 */
export async function uploadFile(client: VitrineClient, file: Blob, options: UploadOptions): Promise<Uploaded> {
  const { baseUrl, fetch } = client.api
  if (options.signal?.aborted) return { ok: false, problem: closed() }
  const headers = { 'content-type': file.type || 'application/octet-stream', 'idempotency-key': options.key }
  const url = `${baseUrl}/blobs`
  return fetch ? sendPlainly(fetch, url, file, headers, options) : sendWithProgress(url, file, headers, options)
}

/** The address of a file that a session refers to. */
export const fileUrl = ({ api }: VitrineClient, sessionId: string, digest: string): string =>
  `${api.baseUrl}${sessionPath(sessionId)}/blobs/${encodeURIComponent(digest)}`

type Headers = Record<string, string>

async function sendPlainly(
  fetch: typeof globalThis.fetch,
  url: string,
  body: Blob,
  headers: Headers,
  { signal }: UploadOptions,
): Promise<Uploaded> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) })
    if (answer.ok) return { ok: true, value: await answer.json() }
    return { ok: false, problem: await problemOf(answer) }
  } catch (error) {
    return { ok: false, problem: signal?.aborted ? closed() : problemOfError(error) }
  }
}

function sendWithProgress(
  url: string,
  body: Blob,
  headers: Headers,
  { onProgress, signal }: UploadOptions,
): Promise<Uploaded> {
  return new Promise(resolve => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const end = (outcome: Uploaded) => {
      signal?.removeEventListener('abort', stop)
      resolve(outcome)
    }
    const fail = (problem: Problem) => end({ ok: false, problem })
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress?.(body.size === 0 ? 1 : Math.min(loaded / body.size, 1))
    request.onload = async () => end(await outcomeOf(request))
    request.onerror = () => fail(problemOfError(new TypeError()))
    request.onabort = () => fail(closed())
    signal?.addEventListener('abort', stop)
    request.send(body)
  })
}

async function outcomeOf({ status, statusText, responseText }: XMLHttpRequest): Promise<Uploaded> {
  const answer = new Response(responseText, { status, statusText })
  if (!answer.ok) return { ok: false, problem: await problemOf(answer) }
  try {
    return { ok: true, value: await answer.json() }
  } catch (error) {
    return { ok: false, problem: problemOfError(error) }
  }
}
