import { describe, expect, it } from 'vitest'
import { fits, mediaTypeOf } from './media-type.ts'

const latin1 = (text: string) => Buffer.from(text.padEnd(64, '\0'), 'latin1')

describe('C10 the type of a medium is that of its bytes', () => {
  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x20ftypavif', 'image/avif'],
    ['<svg xmlns="x">', 'image/svg+xml'],
    ['\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "x">\n<!-- b -->\n<svg>', 'image/svg+xml'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['\x1a\x45\xdf\xa3....webm', 'video/webm'],
    ['OggS....vorbis', 'audio/ogg'],
    ['ID3\x04', 'audio/mpeg'],
    ['RIFF....WAVEfmt ', 'audio/wav'],
    ['fLaC', 'audio/flac'],
  ])('C10 %j is %s', (head, type) => expect(mediaTypeOf(latin1(head))).toBe(type))

  it.each([
    '<!doctype html><svg>',
    '<html><svg></svg>',
    '<script>alert(1)</script>',
    '<!-- never closed <svg>',
    '{"a":1}',
    '%PDF-1.7',
    'BM',
    '\x1a\x45\xdf\xa3....matroska',
    '',
  ])('C10 %j is nothing that is shown', head => expect(mediaTypeOf(latin1(head))).toBeUndefined())

  it('C10 many comments before an SVG are read in one go', () => {
    const head = Buffer.from(`${'<!-- x -->'.repeat(400)}<p>`)
    const before = process.threadCpuUsage()
    expect(mediaTypeOf(head)).toBeUndefined()
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)
  })

  it('C10 an element gets what it can show', () => {
    expect([fits('image/png', 'image'), fits('video/mp4', 'image')]).toEqual([true, false])
    expect([fits('video/mp4', 'audio'), fits('image/svg+xml', 'video')]).toEqual([true, false])
  })
})
