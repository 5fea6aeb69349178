import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createModelSource } from '@vitrine/models'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe.ts'
import { answers, composer, openWorkbench, send, type Workbench } from './harness.ts'

const KEY = 'canary-key-4711-not-for-anybody'

/** A provider that speaks the format of OpenAI: it lists two models, and answers with what it was asked. */
function startModels(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      response.writeHead(401, { 'content-type': 'application/json' })
      const message = `Incorrect API key provided: ${request.headers.authorization}`
      return response.end(
        JSON.stringify({ error: { message, type: 'invalid_request_error', code: 'invalid_api_key' } }),
      )
    }
    if (request.url?.endsWith('/models')) {
      const data = ['kestrel-70b', 'kestrel-8b'].map(id => ({ id, object: 'model', created: 1, owned_by: 'here' }))
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ object: 'list', data }))
    }
    const { messages, model } = JSON.parse(Buffer.concat(chunks).toString())
    const asked = messages.at(-1).content
    const text = typeof asked === 'string' ? asked : asked.map((part: { text?: string }) => part.text ?? '').join('')
    const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model }
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${chunk({ role: 'assistant', content: `${model} heard: ${text}` }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`,
    )
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

let workbench: Workbench
let provider: Server
let address: string
beforeAll(async () => {
  provider = await startModels()
  address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  workbench = await openWorkbench({ models: createModelSource() })
})
afterAll(async () => {
  await workbench?.close()
  provider?.close()
})

const card = (page: Page) => page.getByRole('region', { name: 'Connect a model' })
/** Every byte that the server has sent to the page. */
function heard(page: Page): () => Promise<string> {
  const bodies: Promise<string>[] = []
  page.on('response', response => bodies.push(response.text().catch(() => '')))
  return async () => (await Promise.all(bodies)).join('\n')
}

describe('a model is connected in the browser', () => {
  it('SE-50 SE-51 L10 from the first screen to the first answer, by keyboard, with a wrong key and a wrong address on the way', async () => {
    const page = await workbench.page()
    const said = heard(page)
    await page
      .getByRole('region', { name: 'Work with a real model' })
      .getByRole('button', { name: 'Connect a model' })
      .click()
    await card(page)
      .getByRole('radio', { name: /OpenAI-compatible/ })
      .press('Space')
    await card(page).getByLabel('Address').fill('http://127.0.0.1:1/v1')
    await page.keyboard.press('Enter')
    await card(page).getByText('It does not work.').waitFor()
    await card(page).getByLabel('Address').fill(address)
    expect(await card(page).getByText('It does not work.').count()).toBe(0)
    await card(page).locator('input[type=password]').fill('wrong')
    await page.keyboard.press('Enter')
    await card(page).getByText('It does not work.').waitFor()
    expect(await card(page).getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await card(page).locator('input[type=password]').fill(KEY)
    await page.keyboard.press('Enter')
    await card(page).getByText('It works.', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await card(page).getByLabel('Model', { exact: true }).selectOption({ label: 'kestrel-8b' })
    await card(page).getByRole('button', { name: 'Continue' }).click()
    // The agent stands on the shelf, and is chosen.
    await page.getByRole('radio', { name: 'kestrel-8b' }).waitFor()
    expect(await page.getByRole('radio', { name: 'kestrel-8b' }).isChecked()).toBe(true)
    await composer(page).fill('hello model')
    await page.keyboard.press('Enter')
    await answers(page).getByText('kestrel-8b heard: hello model').waitFor()
    expect(await page.content()).not.toContain(KEY)
    expect(await said()).not.toContain(KEY)
    await page.context().close()
  })

  it('SE-52 L10 the key is never shown again: it can be replaced, tested, and taken away with its provider', async () => {
    const page = await workbench.page({ path: '/models' })
    const said = heard(page)
    await card(page)
      .getByRole('radio', { name: /OpenAI-compatible/ })
      .press('Space')
    await card(page).getByRole('button', { name: 'Replace' }).waitFor()
    await card(page).getByRole('button', { name: 'Test' }).click()
    await card(page).getByText('It works.', { exact: true }).waitFor()
    const connected = page.getByRole('region', { name: 'Connected models' })
    await connected.getByRole('button', { name: /Test/ }).click()
    await connected.getByText('It works.').waitFor()
    expect(await said()).not.toContain(KEY)
    await connected.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await connected.waitFor({ state: 'detached' })
    // The agent is still there, and says what it lacks.
    await page.goto(new URL('/agents', page.url()).href)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'kestrel-8b' })
      .getByRole('button', { name: /Set key|Choose model/ })
      .waitFor()
    await page.context().close()
  })
})

describe('agents that people make', () => {
  it('SE-53 one is made, changed, copied and deleted, and sessions know it by its new name', async () => {
    const page = await workbench.page({ path: '/models' })
    await card(page)
      .getByRole('radio', { name: /OpenAI-compatible/ })
      .press('Space')
    await card(page).getByLabel('Address').fill(address)
    await card(page).locator('input[type=password]').fill(KEY)
    await page.keyboard.press('Enter')
    await card(page).getByText('It works.', { exact: true }).waitFor()
    await card(page).getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('radio', { name: 'kestrel-70b' }).waitFor()
    await page.getByRole('button', { name: /^Agents/ }).click()
    const one = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await one('kestrel-70b').getByRole('button', { name: 'Edit kestrel-70b' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name', { exact: true }).fill('Forge')
    await form.getByLabel('Instructions').fill('Small commits.')
    await form.getByLabel('Suggestions').fill('Profile the checkout')
    expect(await violations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await one('Forge').getByRole('button', { name: 'Edit Forge' }).click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await one('Forge, copy').waitFor()
    await one('Forge, copy').getByRole('button', { name: 'Edit Forge, copy' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await one('Forge, copy').waitFor({ state: 'detached' })
    await one('Forge').getByRole('button', { name: 'New session' }).click()
    expect(await page.getByRole('radio', { name: 'Forge' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Profile the checkout' }).click()
    await answers(page).getByText('kestrel-70b heard: Profile the checkout').waitFor()
    await send(page, 'again')
    await answers(page).getByText('kestrel-70b heard: again').waitFor()
    await page.context().close()
  })

  it('SE-54 both pages fit a phone and are accessible in the dark', async () => {
    for (const path of ['/models', '/agents']) {
      const page = await workbench.page({ width: 390, height: 844, dark: true, path })
      await page
        .getByRole('heading', { name: /Connect/ })
        .first()
        .waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await page.context().close()
    }
    expect(workbench.errors()).toEqual([])
  })
})
