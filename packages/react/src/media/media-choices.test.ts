import type { VitrineClient } from '@vitrine/client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { writeStored } from '../stored.ts'
import { MediaChoices } from './media-choices.ts'

const choices = (hosts: string[] = []) => {
  const listMediaHosts = vi.fn(async () => Response.json({ hosts }))
  const client = { api: { baseUrl: 'http://own.test/api', fetch: listMediaHosts } } as unknown as VitrineClient
  return { media: new MediaChoices(client), listMediaHosts }
}
beforeEach(() => void writeStored('vitrine.mediaHosts', undefined))

describe('C10 what a person wants to see of other sites', () => {
  const url = 'https://images.example.org/a.png?x=1'

  it('C10 is nothing at first; a click is for one address', () => {
    const { media } = choices()
    expect(media.source(url, 'image')).toBeNull()
    media.show(url)
    const source = new URL(media.source(url, 'image')!)
    expect(source.origin + source.pathname).toBe('http://own.test/api/media')
    expect(Object.fromEntries(source.searchParams)).toEqual({ url, as: 'image', clicked: '1' })
    expect(media.source('https://images.example.org/b.png', 'image')).toBeNull()
  })

  it('P-9004 a host is allowed for good, also after a reload, and only this host; it can be taken back', () => {
    const { media } = choices()
    media.allow('images.example.org')
    const again = choices().media
    expect(new URL(again.source(url, 'image')!).searchParams.has('clicked')).toBe(false)
    for (const other of [
      'https://example.org/',
      'https://images.example.org.evil.test/',
      'https://images.example.org:8443/',
    ]) {
      expect(again.source(other, 'image')).toBeNull()
    }
    again.show(url)
    again.forget('images.example.org')
    expect(again.source(url, 'image')).toBeNull()
    expect(choices().media.hosts).toEqual([])
  })

  it('P-9003 the hosts of the server are asked for once, when there is something to show', async () => {
    const { media, listMediaHosts } = choices(['*.example.org', 'pictures.test'])
    expect(listMediaHosts).not.toHaveBeenCalled()
    const changed = vi.fn()
    media.subscribe(changed)
    media.load()
    media.load()
    await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce())
    expect(listMediaHosts).toHaveBeenCalledOnce()
    expect(media.source(url, 'image')).not.toBeNull()
    expect(media.source('https://pictures.test/', 'video')).not.toBeNull()
    for (const other of ['https://example.org/', 'https://evilexample.org/', 'https://a.pictures.test/']) {
      expect(media.source(other, 'image')).toBeNull()
    }
  })

  it('P-9005 three pictures load at a time, so that a slow site does not take the connections of the page', () => {
    const { media } = choices()
    const started: number[] = []
    const ends = [1, 2, 3, 4, 5, 6].map(number => media.queue(() => started.push(number)))
    expect(started).toEqual([1, 2, 3])
    // One that waits and leaves the page has no turn.
    ends[3]!()
    ends[0]!()
    ends[0]!()
    expect(started).toEqual([1, 2, 3, 5])
    ends[1]!()
    expect(started).toEqual([1, 2, 3, 5, 6])
  })

  it('P-9004 whatever stands in the storage of the browser, the page works', () => {
    for (const stored of ['x', 7, null, [7, 'images.example.org', {}]]) {
      writeStored('vitrine.mediaHosts', stored)
      expect(choices().media.hosts.every(host => typeof host === 'string')).toBe(true)
    }
  })
})
