import { describe, expect, it } from 'vitest'
import { fileKind, isPicture } from './file-kinds.ts'

describe('P-9129 the kind of a file', () => {
  it.each([
    ['image/png', 'a.bin', 'file.image'],
    ['', 'photo.JPG', 'file.image'],
    ['application/octet-stream', 'june.csv', 'file.table'],
    ['text/csv', 'june', 'file.table'],
    ['application/pdf', 'x', 'file.pdf'],
    ['text/plain', 'notes', 'file.text'],
    ['text/plain', 'main.rs', 'file.text'],
    ['', 'main.rs', 'file.code'],
    ['application/json', 'x', 'file.code'],
    ['application/zip', 'x', 'file.archive'],
    ['video/mp4', 'x', 'file.video'],
    ['audio/ogg', 'x', 'file.audio'],
    ['application/x-unheard-of', 'x', 'file.other'],
  ])('P-9129 %j %j is a %s', (mediaType, name, word) => {
    expect(fileKind(mediaType, name).word).toBe(word)
  })

  it('P-9129 only pictures without script are shown as pictures', () => {
    expect(['image/png', 'image/jpeg', 'image/svg+xml', 'text/html'].map(isPicture)).toEqual([true, true, false, false])
  })
})
