import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { SafeAnswer } from '@vitrine/server'
import { ToolFailed } from '../failure.ts'
import { sizeInWords } from '../fit.ts'

/** The bytes of an answer, without the compression of its way. `isCut` says that there was more. */
export async function bytesOf({ body, headers }: SafeAnswer, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const stream = unpacked(body, headers['content-encoding'])
  const pieces: Buffer[] = []
  let size = 0
  try {
    // What is unpacked is counted, so that a small answer cannot become a large one.
    for await (const piece of stream) {
      pieces.push(piece as Buffer)
      size += (piece as Buffer).length
      if (size > most) return { bytes: Buffer.concat(pieces).subarray(0, most), isCut: true }
    }
    return { bytes: Buffer.concat(pieces), isCut: false }
  } catch {
    throw new ToolFailed(`The answer broke off after ${sizeInWords(size)}. Try again.`)
  } finally {
    stream.destroy()
    body.destroy()
  }
}

function unpacked(body: Readable, encoding = 'identity'): Readable {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '') return body
  const unpack =
    name === 'gzip' || name === 'x-gzip'
      ? createGunzip()
      : name === 'deflate'
        ? createInflate()
        : name === 'br'
          ? createBrotliDecompress()
          : undefined
  if (!unpack) throw new ToolFailed(`The answer is packed as ${name.slice(0, 50)}, which cannot be read.`)
  body.once('error', error => unpack.destroy(error))
  body.once('aborted', () => unpack.destroy(new Error('The answer broke off.')))
  return body.pipe(unpack)
}

/** The text of bytes by what they and their headers say about their characters. */
export function decoded(bytes: Buffer, contentType: string): string {
  const head = bytes.subarray(0, 2_048).toString('latin1')
  const said =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : said
  for (const label of [mark, 'utf-8']) {
    if (label === undefined) continue
    try {
      return new TextDecoder(label, { fatal: label === 'utf-8' && said === undefined }).decode(bytes)
    } catch {
      // A name that nobody knows, or bytes that are something else.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}
