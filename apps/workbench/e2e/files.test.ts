import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { begin, composer, ended, openWorkbench, saidIn, send, sessionOf, type Workbench } from './harness.ts'

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ pace: 0 })
})
afterAll(async () => {
  await workbench.close()
})

/** A red picture of 2 by 2. */
const PNG = picture(2, 2)

function picture(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => Buffer.from([220, 40, 40]))])
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([sign, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

const chips = (page: Page): Locator => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
const chip = (page: Page, name: string): Locator => chips(page).filter({ hasText: name })
const uploaded = (page: Page, name: string) => chip(page, name).and(page.locator('[data-state="done"]')).waitFor()
const hint = (page: Page): Locator => page.locator('#v-composer-hint')

/** Chooses files as a person does who has pressed the button. */
async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).click()
  await (await chooser).setFiles(files)
}
const text = (name: string, content = `content of ${name}`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

/** Drops files, or pastes them, with the events that a browser sends. */
async function give(
  page: Page,
  how: 'drop' | 'paste',
  target: string,
  files: { name: string; type: string; content: string }[],
): Promise<{ prevented: boolean }> {
  return page.evaluate(
    ({ how, target, files }) => {
      const transfer = new DataTransfer()
      for (const { name, type, content } of files) transfer.items.add(new File([content], name, { type }))
      const element = document.querySelector(target)!
      const options = { bubbles: true, cancelable: true }
      if (how === 'paste') {
        const event = new ClipboardEvent('paste', { ...options, clipboardData: transfer })
        return { prevented: !element.dispatchEvent(event) }
      }
      for (const type of ['dragenter', 'dragover']) {
        element.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: transfer }))
      }
      return { prevented: !element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: transfer })) }
    },
    { how, target, files },
  )
}

/** Uploads stand still until `release` is called. */
async function holdUploads(page: Page): Promise<{ release: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/blobs', async route => {
    await promise
    await route.continue().catch(() => {})
  })
  return {
    release: async () => {
      resolve()
      await page.unroute('**/api/blobs')
    },
  }
}

/** Sends a turn with files, as a client of the API does. */
async function sendFiles(page: Page, ...files: { name: string; type: string; data: Buffer }[]): Promise<void> {
  const at = (path: string) => new URL(`/api${path}`, page.url()).href
  const named = []
  for (const { name, type, data } of files) {
    const answer = await page.request.post(at('/blobs'), { headers: { 'content-type': type }, data })
    named.push({ digest: ((await answer.json()) as { digest: string }).digest, name })
  }
  const data = { turnId: 'with-files', text: 'what did I attach?', files: named }
  expect((await page.request.post(at(`/sessions/${sessionOf(page)}/turns`), { data })).status()).toBe(202)
}

describe('a picture that is sent', () => {
  it('P-9600 stands where it will stand from the key press on, and nothing moves when it was sent', async () => {
    const page = await workbench.page()
    await begin(page, 'hello')
    await ended(page)
    await choose(page, { name: 'red.png', mimeType: 'image/png', buffer: PNG }, text('notes.txt'))
    await uploaded(page, 'red.png')
    await uploaded(page, 'notes.txt')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/turns', async route => {
      await held
      await route.continue()
    })
    await send(page, 'what did I attach?')
    const unsent = page.locator('.v-unsent')
    await unsent.locator('.v-file-picture img').waitFor()
    // The stream follows its end, so the heights are compared and not the places.
    const sizes = (article: Locator) =>
      article.evaluate(element =>
        [...element.querySelectorAll('.v-files, .v-files > li, .v-user-text')].map(part => {
          const { width, height } = part.getBoundingClientRect()
          return [Math.round(width), Math.round(height)]
        }),
      )
    const before = await sizes(unsent)
    release()
    await unsent.waitFor({ state: 'detached' })
    const sent = page.getByRole('article', { name: 'Your message', exact: true }).last()
    await sent.locator('button.v-file-picture img').waitFor()
    expect(await sizes(sent)).toEqual(before)
    await ended(page, 2)
    await page.close()
  })
})

/** Drops a file with the events that a browser sends, and says whether somebody has kept it from replacing the page. */
const drop = (page: Page, target: string): Promise<boolean> =>
  page.evaluate(selector => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'dropped.txt', { type: 'text/plain' }))
    const element = document.querySelector(selector)!
    const options = { bubbles: true, cancelable: true, dataTransfer }
    const over = element.dispatchEvent(new DragEvent('dragover', options))
    return !over && !element.dispatchEvent(new DragEvent('drop', options))
  }, target)

describe('files', () => {
  it('P-9129 stand above their message: a picture opens and is downloaded, by key too; others are downloaded', async () => {
    const page = await workbench.page()
    await begin(page, '/help')
    await ended(page)
    await sendFiles(
      page,
      { name: 'red.png', type: 'image/png', data: PNG },
      { name: 'notes \u202e.txt', type: 'text/plain', data: Buffer.from('First words') },
    )
    await ended(page, 2)
    const message = page.getByRole('article', { name: 'Your message' }).last()
    const shown = message.getByRole('button', { name: 'Open red.png' })
    await expect.poll(() => shown.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(2)
    expect(await shown.locator('img').getAttribute('alt')).toBe('red.png')
    expect(await violations(page)).toEqual([])

    await shown.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'red.png' })
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('red.png')
    expect(await readFile(await saved.path())).toEqual(PNG)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await shown.evaluate(element => element === document.activeElement)).toBe(true)

    // What turns words around in a name is seen.
    const file = message.getByRole('link', { name: /notes .*U\+202E/ })
    const other = page.waitForEvent('download')
    await file.click()
    expect((await other).suggestedFilename()).toMatch(/^notes.*\.txt$/)
    await page.close()
  })

  it('P-9125 that are dropped beside their place do not replace the page', async () => {
    const page = await workbench.page()
    const before = page.url()
    for (const target of ['body', 'h2', '[data-composer]'])
      expect([target, await drop(page, target)]).toEqual([target, true])
    await page.goto(new URL('/gallery', before).href)
    await page.getByRole('heading').first().waitFor()
    expect(await drop(page, 'body')).toBe(true)
    await page.close()
  })

  it('P-9120 P-9116 P-9129 by button before the session exists: the agent gets them and the message shows them', async () => {
    const page = await workbench.page()
    await choose(page, { name: 'red.png', mimeType: 'image/png', buffer: PNG }, text('notes.txt', 'First words\nmore'))
    await uploaded(page, 'red.png')
    await uploaded(page, 'notes.txt')
    await expect.poll(() => chip(page, 'red.png').locator('img').count()).toBe(1)
    expect(await chip(page, 'notes.txt').textContent()).toMatch(/Text, 16/)
    expect(await violations(page)).toEqual([])
    await begin(page, 'what did I attach?')
    const events = await ended(page)
    expect(saidIn(events)).toMatch(/You attached 2 files:.*red\.png.*image\/png.*notes\.txt.*First words/s)
    const message = page.getByRole('article', { name: /you|your message/i }).first()
    const picture = message.getByRole('button', { name: 'Open red.png' })
    await expect.poll(() => picture.locator('img').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(2)
    expect(await picture.locator('img').getAttribute('alt')).toBe('red.png')
    await expect.poll(() => chips(page).count()).toBe(0)

    await picture.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'red.png' })
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('red.png')
    expect(await readFile(await saved.path())).toEqual(PNG)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await picture.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await violations(page)).toEqual([])

    const other = page.waitForEvent('download')
    await message.getByRole('link', { name: /notes\.txt/ }).click()
    expect((await other).suggestedFilename()).toBe('notes.txt')
    await page.close()
  })

  it('P-9120 P-9125 by paste and by drop anywhere in the window, and the page stays', async () => {
    const page = await workbench.page()
    await begin(page, '/help')
    await ended(page)
    const { url } = { url: page.url() }
    const png = { name: 'image.png', type: 'image/png', content: 'x' }
    expect(await give(page, 'paste', '[data-composer]', [png])).toEqual({ prevented: true })
    await uploaded(page, 'image.png')
    const two = ['one.csv', 'two.csv'].map(name => ({ name, type: 'text/csv', content: name }))
    expect(await give(page, 'drop', 'h1, h2, header', two)).toEqual({ prevented: true })
    await uploaded(page, 'one.csv')
    await uploaded(page, 'two.csv')
    expect(page.url()).toBe(url)
    // Where nothing takes files, nothing happens either.
    await page.goto(new URL('/gallery', url).href)
    await page.locator('main, body').first().waitFor()
    expect(await give(page, 'drop', 'body', two)).toEqual({ prevented: true })
    await page.close()
  })

  it('P-9121 P-9124 P-9128 an upload shows its share, Enter says what it waits for, and it can be cancelled', async () => {
    const page = await workbench.page()
    const held = await holdUploads(page)
    await choose(page, text('slow.txt'), text('other.txt'))
    await composer(page).fill('/help')
    expect(await page.getByRole('progressbar', { name: 'Upload of slow.txt' }).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await composer(page).press('Enter')
    await expect.poll(() => hint(page).textContent()).toBe('Waiting for 2 uploads')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: 'Cancel the upload of slow.txt' }).click()
    await expect.poll(() => chips(page).count()).toBe(1)
    await held.release()
    await uploaded(page, 'other.txt')
    await composer(page).press('Home')
    await composer(page).press('Backspace')
    await expect.poll(() => chips(page).count()).toBe(0)
    expect(await composer(page).inputValue()).toBe('/help')
    expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
    await page.close()
  })

  it('P-9121 a failed upload says why, and is tried again in its place', async () => {
    const page = await workbench.page()
    await page.route('**/api/blobs', route => route.abort())
    await choose(page, text('a.txt'))
    await chip(page, 'a.txt').and(page.locator('[data-state="failed"]')).waitFor()
    expect(await chip(page, 'a.txt').textContent()).toContain('The server cannot be reached.')
    await composer(page).fill('/help')
    await expect.poll(() => hint(page).textContent()).toContain('was not uploaded')
    await page.unroute('**/api/blobs')
    await page.getByRole('button', { name: 'Upload a.txt again' }).click()
    await uploaded(page, 'a.txt')
    await page.close()
  })

  it('P-9122 what was uploaded outlives the page, what was on its way says that it was cut off', async () => {
    const page = await workbench.page()
    await choose(page, text('kept.txt'))
    await uploaded(page, 'kept.txt')
    await holdUploads(page)
    await choose(page, text('cut.txt'))
    await chip(page, 'cut.txt').and(page.locator('[data-state="uploading"]')).waitFor()
    await page.reload()
    await uploaded(page, 'kept.txt')
    expect(await chip(page, 'cut.txt').textContent()).toContain('cut off')
    await page.getByRole('button', { name: 'Remove cut.txt' }).click()
    await begin(page, 'what did I attach?')
    expect(saidIn(await ended(page))).toMatch(/You attached one file:.*kept\.txt/s)
    await page.close()
  })

  it('P-9123 of sixty files twenty are taken, and it is said which were not and why', async () => {
    const page = await workbench.page()
    await choose(page, ...Array.from({ length: 60 }, (_, index) => text(`file-${index}.txt`)))
    await expect.poll(() => chips(page).count()).toBe(20)
    const note = page.locator('.v-attach-note')
    expect(await note.textContent()).toContain('file-20.txt, file-21.txt, file-22.txt and 37 more')
    expect(await note.textContent()).toContain('up to 20 files')
    await uploaded(page, 'file-19.txt')
    await begin(page, 'what did I attach?')
    expect(saidIn(await ended(page))).toContain('You attached 20 files')
    await page.close()
  })

  it('P-9126 a file that the server lost comes back with the text, and can be uploaded again', async () => {
    const page = await workbench.page()
    await begin(page, '/help')
    await ended(page)
    await choose(page, text('lost.txt'))
    await uploaded(page, 'lost.txt')
    const refuse = { status: 422, json: { code: 'file_not_found', title: 'x', status: 422, detail: '', type: 'x' } }
    await page.route('**/turns', route => route.fulfill(refuse))
    await send(page, 'what did I attach?')
    await chip(page, 'lost.txt').and(page.locator('[data-state="failed"]')).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('what did I attach?')
    await page.unroute('**/turns')
    await page.getByRole('button', { name: 'Upload lost.txt again' }).click()
    await uploaded(page, 'lost.txt')
    await composer(page).press('Enter')
    expect(saidIn(await ended(page, 2))).toContain('lost.txt')
    await page.close()
  })

  it('P-9127 a long text that is pasted stays, and becomes a file when the person wants it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await workbench.page({ context: await workbench.browser.newContext({ permissions, locale: 'en-GB' }) })
    const long = 'all work and no play\n'.repeat(10_000)
    await composer(page).fill('before ')
    await page.evaluate(words => navigator.clipboard.writeText(words), long)
    await composer(page).press('Control+V')
    await page.getByRole('button', { name: 'Attach as a file' }).click()
    await uploaded(page, 'Pasted text.txt')
    expect(await composer(page).inputValue()).toBe('before ')
    await begin(page, 'what did I attach?')
    const log = await ended(page)
    expect(JSON.stringify(log.find(({ type }) => type === 'run.started'))).toContain(`"size":${long.length}`)
    await page.close()
  })
})
