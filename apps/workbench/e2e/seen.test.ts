import { readFileSync } from 'node:fs'
import { readSchema, schemaToMarkdown, type UiSchemaRenderer } from '@vitrine/genui/schema'
import type { JsonObject, SessionEvent } from '@vitrine/protocol'
import type { Agent, AgentOutput } from '@vitrine/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answers, begin, ended, logOf, openWorkbench, saidIn, sessionOf, type Workbench } from './harness.ts'

/** What the agent draws with the `a2ui` tool, and documents of UI Schema that its tool has as results, by name. */
const { drawings, documents } = JSON.parse(readFileSync(new URL('./seen.fixture.json', import.meta.url), 'utf8')) as {
  drawings: Record<string, JsonObject>
  documents: Record<string, JsonObject[]>
}

const HOSTILE =
  '<img src=x onerror="document.title=\'broken\'"> [press](javascript:alert(1)) ![seen](https://evil.test/p.png)\n# no heading\n- no item\n| no | table |\n|---|---|'
const markdown = schemaToMarkdown(
  readSchema(
    {
      version: '2.0',
      root: {
        type: 'stack',
        children: [
          { type: 'text', role: 'title', content: `Title ${HOSTILE}` },
          { type: 'text', content: HOSTILE },
          { type: 'text', format: 'markdown', content: '**kept** <img src=x onerror=1> [press](javascript:alert(1))' },
          { type: 'kv', items: [{ key: 'key', label: HOSTILE, value: HOSTILE }] },
          { type: 'table', columns: [{ label: HOSTILE }], rows: [[HOSTILE]] },
          { type: 'button', label: HOSTILE, action: { type: 'url', url: 'javascript:alert(1)' } },
        ],
      },
    },
    { locale: 'en' },
  ).schema!,
)

const secrets = {
  argument: 'canary-argument-77',
  output: 'canary-output-77',
  result: 'canary-result-77',
  asked: 'canary-asked-77',
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Does what the first word of a turn says, so that each test sees one thing on the page. */
const player: Agent = {
  agentId: 'player',
  name: 'Player',
  description: 'Shows what it is asked for',
  scripted: true,
  async *run({ text, interaction }, context): AsyncGenerator<AgentOutput> {
    const say = (delta: string): AgentOutput => ({ type: 'text.delta', partId: 'said', delta })
    const tool = (name: string) => context.tools.find(one => one.name === name)!
    if (interaction) return yield say(`I was told ${JSON.stringify(interaction)}`)
    const [verb = '', name = ''] = text.split(' ')
    if (verb === 'draw') await tool('a2ui').call({ envelopes: [drawings[name]!] })
    else if (verb === 'show') {
      for (const [at, ui] of documents[name]!.entries()) {
        yield { type: 'tool.started', partId: `card${at}`, toolCallId: `card${at}`, name: 'show' }
        yield { type: 'tool.result', toolCallId: `card${at}`, ui: ui as unknown as UiSchemaRenderer }
      }
    } else if (verb === 'form') {
      await tool('show_ui').call({
        intent: 'form',
        title: '预订',
        fields: [{ key: 'guest', label: '客人', required: true }],
      })
    } else if (verb === 'ask') {
      const options = [
        { value: 'a', label: 'Paris' },
        { value: 'b', label: 'Oslo' },
      ]
      const answer = await tool('ask').call({ question: 'Where shall we meet?', options })
      yield say(`The answer was ${JSON.stringify(answer)}`)
    } else if (verb === 'markdown') yield say(markdown)
    else if (verb === 'secret') {
      yield {
        type: 'tool.started',
        partId: 'call',
        toolCallId: 'call',
        name: 'deploy',
        title: 'Deploy',
        summary: 'to staging',
      }
      const args = JSON.stringify({ host: 'staging', password: secrets.argument })
      yield { type: 'tool.args', toolCallId: 'call', delta: args, done: true }
      yield { type: 'tool.output.delta', toolCallId: 'call', delta: `ready\nDEPLOY_TOKEN=${secrets.output}\n` }
      const asked = { host: 'staging', apiKey: secrets.asked }
      await context.ask({ kind: 'approval', title: 'Deploy now?', args: asked, toolCallId: 'call' })
      yield { type: 'tool.result', toolCallId: 'call', value: { ok: true, session_token: secrets.result } }
    } else if (verb === 'artifact') {
      const facts = { kind: 'spreadsheet', title: 'Budget 2031', status: 'ready' as const, version: { id: 'v-1' } }
      yield { type: 'artifact.created', partId: 'budget', artifactId: 'budget', artifact: facts }
      yield say('I saved it as a PDF, version 9, and the export is finished.')
    } else if (verb === 'bare') {
      yield { type: 'artifact.created', partId: 'bare', artifactId: 'bare', artifact: { kind: 'spreadsheet' } }
    } else if (verb === 'late') {
      await tool('a2ui').call({ envelopes: [drawings.missing!] })
      await context.steers.wait()
      await context.steers.take()
      await tool('a2ui').call({ envelopes: [drawings.arrival!] })
    } else if (verb === 'count') {
      const usage = { inputTokens: 1_200, outputTokens: 34 }
      yield say('Counted.')
      yield {
        type: 'metric.changed',
        scope: 'message',
        values: { usage, model: 'tiny-1', cost: { amount: 0.5, currency: 'EUR' } },
      }
    } else if (verb === 'repeat') {
      yield { type: 'tool.started', partId: 'a', toolCallId: 'a', name: 'fetch', title: 'Fetch the page' }
      yield { type: 'tool.failed', toolCallId: 'a', error: { code: 'timeout', message: 'No answer' } }
      yield { type: 'tool.started', partId: 'b', toolCallId: 'b', name: 'fetch', title: 'Fetch it again', retryOf: 'a' }
      await aborted(context.signal)
    } else if (verb === 'fields') {
      const properties = {
        name: { type: 'string', title: 'Name', minLength: 2 },
        guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12 },
        email: { type: 'string', title: 'E-mail', format: 'email' },
      }
      const schema = { type: 'object', properties, required: ['name'] }
      yield say(JSON.stringify(await tool('ask').call({ question: 'Who comes?', schema })))
    } else if (verb === 'block') {
      yield { type: 'run.status', status: 'blocked', reason: 'The build machine is missing.' }
      await aborted(context.signal)
    } else if (verb === 'odd') {
      yield { type: 'text.delta', partId: 'said', delta: 7 } as never
      yield { type: 'hologram.changed' } as never
      yield say('working')
      await aborted(context.signal)
    }
  },
}

let workbench: Workbench
/** One page for all that needs no other language or colours: opening a page takes longer than most tests. */
let shared: Page
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [player] })
  shared = await workbench.page()
})
afterAll(() => workbench?.close())
afterEach(async () => {
  for (const context of workbench.browser.contexts()) if (context !== shared.context()) await context.close()
  expect(workbench.errors()).toEqual([])
})

/** The page on which the agent has done this, and its last answer. */
async function asked(text: string, page = shared): Promise<{ page: Page; answer: Locator }> {
  await begin(page, text)
  await ended(page)
  const answer = answers(page).last()
  await answer.waitFor()
  return { page, answer }
}
/** A card that has just appeared takes no answer for a moment: pressed until it does. */
const press = (page: Page, button: Locator) =>
  expect
    .poll(async () => {
      await button.click({ timeout: 500 }).catch(() => {})
      return (await logOf(page)).some(({ type }) => type === 'action.resolved')
    })
    .toBe(true)
const interactionsIn = (events: readonly SessionEvent[]) =>
  events.flatMap(event => (event.type === 'run.started' && event.input.interaction ? [event.input.interaction] : []))

describe('A2UI, from the tool to the page', () => {
  it('A2-02 A2-70 A2-20 A2-21 A2-22 A2-23 A2-26 a form, a card, options and a layout stand in the answer', async () => {
    const { answer } = await asked('draw form')
    await answer.getByRole('heading', { name: 'Your booking' }).waitFor()
    const guest = answer.getByRole('textbox', { name: 'Guest' })
    expect(await guest.getAttribute('placeholder')).toBe('Ada')
    const room = answer.getByRole('combobox', { name: 'Room' })
    expect(await room.locator('option').allTextContents()).toEqual(['Choose one', 'With a view', 'Quiet'])
    expect(await answer.getByRole('list').getByRole('listitem').allTextContents()).toEqual([
      'Breakfast',
      'Late arrival',
    ])
    expect(await answer.getByRole('button', { name: 'Book it' }).isEnabled()).toBe(true)
    // The layout is one below the other.
    const [title, field, button] = await Promise.all(
      [answer.getByRole('heading'), guest, answer.getByRole('button', { name: 'Book it' })].map(part =>
        part.boundingBox(),
      ),
    )
    expect(title!.y).toBeLessThan(field!.y)
    expect(field!.y).toBeLessThan(button!.y)
  })

  it('A2-03 A2-29 A2-30 figures stand in a table and a badge', async () => {
    const { answer } = await asked('draw figures')
    const table = answer.getByRole('table')
    await table.waitFor()
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Day', 'Orders'])
    expect(await table.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual(['Tuesday', '128'])
    expect(await answer.getByText('98 %').isVisible()).toBe(true)
  })

  it('A2-04 A2-31 what is visual is a picture', async () => {
    const { answer } = await asked('draw pictures')
    const picture = answer.getByRole('img', { name: 'A green box' })
    await picture.scrollIntoViewIfNeeded()
    expect((await picture.boundingBox())!.height).toBeGreaterThan(20)
    await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(40)
  })

  it('A2-05 an answer in prose draws nothing', async () => {
    const { page, answer } = await asked('artifact')
    expect(await answer.textContent()).toContain('I saved it')
    expect((await logOf(page)).map(({ type }) => type)).not.toContain('surface.changed')
  })

  it('A2-32 A2-33 a type that nobody knows says its name, and the paragraph beside it is there', async () => {
    const { answer } = await asked('draw newcomer')
    await answer.getByText('Orders went up from 1 to 3.').waitFor()
    expect(
      await answer
        .getByText(/Sparkline/)
        .first()
        .isVisible(),
    ).toBe(true)
  })

  it('A2-16 A2-17 A2-18 A2-19 A2-21 A2-24 A2-25 A2-27 A2-28 A2-29 A2-90 the other components of the table are drawn', async () => {
    const { answer } = await asked('draw catalog')
    await answer.getByRole('heading', { name: 'Heading three' }).waitFor()
    for (const text of ['A text', 'A paragraph'])
      expect(await answer.getByText(text, { exact: true }).isVisible()).toBe(true)
    const [left, right] = await Promise.all(
      ['on the left', 'on the right'].map(text => answer.getByText(text).boundingBox()),
    )
    expect(Math.abs(left!.y - right!.y)).toBeLessThan(2)
    expect(right!.x - left!.x - left!.width).toBeGreaterThan(100)
    expect(await answer.getByRole('separator').count()).toBe(1)
    expect(await answer.getByRole('list').evaluate(list => list.tagName)).toBe('UL')
    const notes = answer.getByRole('textbox', { name: 'Notes' })
    expect(await notes.inputValue()).toBe('Some')
    expect(await notes.getAttribute('rows')).toBe('4')
    expect(await answer.getByRole('checkbox', { name: 'Agreed' }).isChecked()).toBe(true)
    const link = answer.getByRole('link', { name: /The manual/ })
    expect(await link.evaluate(({ href, target }: HTMLAnchorElement) => `${href} ${target}`)).toBe(
      'https://example.com/manual _blank',
    )
    const bar = answer.getByRole('progressbar', { name: 'Upload' })
    expect(await bar.evaluate(({ value, max }: HTMLProgressElement) => value / max)).toBe(0.25)
    const tones = await Promise.all(
      ['default', 'success', 'warning', 'danger'].map(tone =>
        answer.getByText(`is ${tone}`).evaluate(badge => {
          const { color, backgroundColor } = getComputedStyle(badge)
          return `${color} ${backgroundColor}`
        }),
      ),
    )
    expect(new Set(tones).size).toBe(4)
  })

  it('A2-35 A2-36 A2-37 A2-38 A2-39 A2-40 A2-41 A2-42 A2-43 A2-44 A2-45 A2-46 A2-47 A2-48 A2-49 A2-50 A2-71 values, helpers and HTML are what a person reads', async () => {
    const { page, answer } = await asked('draw values')
    for (const text of [
      'path Ada',
      'ref one',
      'literal {"path":"/x"}',
      'format Ada 2 .',
      'since noon',
      'not false',
      'eq true',
      'neq false',
      'and true',
      'or true',
      'length 24',
      'a & b & c',
      '<one><two>',
      'coalesced',
      '<img src=x onerror="document.title=\'broken\'"> <b>not bold</b>',
    ])
      await answer.getByText(text, { exact: true }).waitFor({ timeout: 3_000 })
    expect(await answer.locator('b, img').count()).toBe(0)
    expect(await page.title()).not.toContain('broken')
  })

  it('A2-114 a child that is not there yet is quiet while the run goes on, and a diagnostic when it never came', async () => {
    await begin(shared, 'late')
    const answer = answers(shared).last()
    await answer.getByText('The first one is there').waitFor()
    expect(await answer.getByText(/is missing/).count()).toBe(0)
    const { runId } = (await logOf(shared)).find(({ type }) => type === 'run.started')!
    const path = `/api/sessions/${sessionOf(shared)}/runs/${runId}/steer`
    await shared.request.post(new URL(path, shared.url()).href, { data: { steerId: 's', text: 'go on' } })
    await answer.getByText('The second one has come').waitFor()
    const never = await asked('draw missing')
    await never.answer.getByText('The component “later” is missing.').waitFor()
  })

  it('A2-60 AU-62 the ask tool asks a question that the run waits for, also over a reload; a surface lets it go on', async () => {
    const page = shared
    await begin(page, 'ask')
    const request = page.getByRole('region', { name: 'Where shall we meet?' })
    await request.waitFor()
    await page.reload()
    await request.waitFor()
    await page
      .getByRole('img', { name: /waiting/i })
      .first()
      .waitFor()
    expect((await logOf(page)).some(({ type }) => type === 'run.finished')).toBe(false)
    await request.getByRole('radio', { name: 'Oslo' }).check()
    await press(page, request.getByRole('button', { name: 'Choose Oslo' }))
    const events = await ended(page)
    expect(saidIn(events)).toBe('The answer was {"outcome":"answered","value":"b"}')
    await page.getByText('The answer was').waitFor()
    // The same as a surface: the run has ended although nobody has pressed anything.
    const drawn = await asked('draw form')
    expect((await logOf(drawn.page)).some(({ type }) => type === 'run.finished')).toBe(true)
  })
})

/** How light the ground behind an element is and its own text, from 0 to 1, as the screen has them. */
const lightOf = (part: Locator) =>
  part.evaluate(element => {
    const light = (color: string) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')!
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
      return { light: (0.21 * red + 0.72 * green + 0.07 * blue) / 255, alpha }
    }
    let ground: Element | null = element
    while (ground && light(getComputedStyle(ground).backgroundColor).alpha === 0) ground = ground.parentElement
    return {
      ground: ground ? light(getComputedStyle(ground).backgroundColor).light : 1,
      text: light(getComputedStyle(element).color).light,
    }
  })

describe('UI Schema, from the tool to the page', () => {
  it.each([false, true])(
    'US-11 US-61 a theme decides ground and text, whatever the page has (dark page: %s)',
    async dark => {
      const { answer } = await asked('show themes', dark ? await workbench.page({ dark }) : shared)
      const seen = async (name: string) => lightOf(answer.getByRole('heading', { name: `Theme ${name}` }))
      for (const [name, isDark] of [
        ['default', dark],
        ['light', false],
        ['dark', true],
      ] as const) {
        const { ground, text } = await seen(name)
        expect([name, ground < 0.5, text > 0.5]).toEqual([name, isDark, isDark])
        expect(Math.abs(ground - text)).toBeGreaterThan(0.5)
      }
    },
  )

  it('US-61 US-02 US-08 every status has its word and colour, every appearance its own look', async () => {
    const { answer } = await asked('show statuses')
    await answer.getByText('grid section').waitFor()
    const colours = await Promise.all(
      ['Info', 'Success', 'Warning', 'Error', 'Pending'].map(async word => {
        const badge = answer.getByText(word, { exact: true })
        expect(await badge.isVisible()).toBe(true)
        return badge.evaluate(element => getComputedStyle(element).color)
      }),
    )
    expect(new Set(colours).size).toBe(5)
    for (const kind of ['stack', 'grid']) {
      const looks = await Promise.all(
        ['plain', 'card', 'section'].map(appearance =>
          answer.getByText(`${kind} ${appearance}`).evaluate(text => {
            const { backgroundColor, borderTopWidth, borderLeftWidth, paddingTop } = getComputedStyle(
              text.parentElement!,
            )
            return [backgroundColor, borderTopWidth, borderLeftWidth, paddingTop].join()
          }),
        ),
      )
      expect([kind, new Set(looks).size]).toEqual([kind, 3])
    }
  })

  it('US-65 US-77 US-78 what is not visible, a child of a leaf and meta are not on the page; a long text has its lines', async () => {
    const { page, answer } = await asked('show hidden')
    await answer.getByText('A visible text').waitFor()
    const text = (await answer.textContent())!
    for (const word of ['hidden ', 'a child of a leaf', '-in-meta'])
      expect([word, text.includes(word)]).toEqual([word, false])
    const long = answer.getByText(/^Many words/)
    const lines = () =>
      long.evaluate(element =>
        Math.round(element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
      )
    expect(await lines()).toBe(2)
    await answer.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(lines).toBeGreaterThan(2)
    const kept = (await logOf(page)).find(({ type }) => type === 'tool.result')
    expect(JSON.stringify(kept)).toContain('trace-in-meta')
  })

  it('US-33 US-69 a tool action brings its id and its parameters to the agent as they are', async () => {
    const { page, answer } = await asked('show tool')
    await answer.getByRole('button', { name: 'Ship it' }).click()
    const events = await ended(page, 2)
    expect(interactionsIn(events)).toMatchObject([
      {
        kind: 'ui_schema',
        action: { type: 'tool', toolId: 'orders.ship', params: { id: 'A-1042', parcels: [1, 2], fast: true } },
      },
    ])
    expect(saidIn(events)).toContain('"toolId":"orders.ship"')
  })

  it('UH-25 US-15 a form without a button gets one in the language of the page, and it sends', async () => {
    const page = await workbench.page({ locale: 'zh-CN' })
    await page.locator('[data-composer]').fill('form')
    await page.locator('[data-composer]').press('Enter')
    await page.waitForURL(/\/s\//)
    await ended(page)
    await page.getByRole('textbox', { name: '客人' }).fill('小明')
    await page.getByRole('button', { name: '提交' }).click()
    const events = await ended(page, 2)
    expect(interactionsIn(events)).toMatchObject([{ kind: 'ui_schema', values: { guest: '小明' } }])
  })

  it('US-54 C01 the markdown of a hostile document draws no picture, no link, no heading and no list of its content', async () => {
    const requests: string[] = []
    shared.on('request', request => requests.push(request.url()))
    const { page, answer } = await asked('markdown')
    await answer.getByText('kept').waitFor()
    expect(await answer.locator('strong', { hasText: 'kept' }).count()).toBe(1)
    expect(await answer.locator('img, a[href^="javascript"]').count()).toBe(0)
    expect(
      await answer
        .getByRole('listitem')
        .filter({ hasText: /^no item/ })
        .count(),
    ).toBe(0)
    expect(await answer.getByRole('heading', { name: /^no heading/ }).count()).toBe(0)
    expect(await answer.getByRole('heading').count()).toBe(1)
    // What is not markup is read as it was written: twice in the text, and in the title, the pair, the table, the button.
    const literal = '[press](javascript:alert(1)) ![seen](https://evil.test/p.png)'
    expect((await answer.textContent())!.split(literal).length - 1).toBeGreaterThanOrEqual(6)
    expect(await answer.textContent()).toContain('<img src=x onerror=')
    expect(await page.title()).not.toContain('broken')
    expect(requests.filter(url => url.includes('evil.test'))).toEqual([])
  })
})

describe('what a run shows', () => {
  it('AU-33 a call shows its summary; secrets in arguments, output, result and request are masked, and nobody can ask for them', async () => {
    const page = shared
    await begin(page, 'secret')
    const request = page.getByRole('region', { name: 'Deploy now?' })
    await request.waitFor()
    expect(await request.textContent()).not.toContain(secrets.asked)
    await press(page, request.getByRole('button', { name: 'Allow once' }))
    await ended(page)
    const answer = answers(page).last()
    await answer.getByText('to staging').click()
    const shown = answer.getByRole('group', { name: 'Input', exact: true })
    await shown.waitFor()
    await answer.getByRole('group', { name: 'Result' }).waitFor()
    const text = (await answer.textContent())!
    expect(text).toContain('"host": "staging"')
    expect(text).toContain('ready')
    expect(Object.entries(secrets).filter(([, secret]) => text.includes(secret))).toEqual([])
    // They are not in the log either.
    expect(await answer.getByRole('button', { name: 'Show what is hidden' }).count()).toBe(0)
    const log = JSON.stringify(await logOf(page))
    expect(Object.entries(secrets).filter(([, secret]) => log.includes(secret))).toEqual([])
  })

  it('AU-40 AU-44 AU-45 an artifact is a small card in the answer with the facts of its owner, whatever the text claims', async () => {
    const { page, answer } = await asked('artifact')
    const card = answer.getByRole('article').filter({ hasText: 'Budget 2031' })
    const look = async () => {
      await card.waitFor()
      expect(await card.textContent()).toMatch(/Budget 2031.*spreadsheet.*v1.*ready/s)
      // The time of the day is one of its facts.
      expect((await card.textContent())!.replace(/\d{2}:\d{2}/, '')).not.toMatch(/PDF|9|saved|export/i)
      const [small, whole] = await Promise.all([card.boundingBox(), answer.boundingBox()])
      expect(small!.height).toBeLessThan(120)
      expect(small!.y + small!.height).toBeLessThanOrEqual(whole!.y + whole!.height)
      expect(small!.width).toBeLessThanOrEqual(whole!.width)
    }
    await look()
    await page.reload()
    await look()
  })

  it('AU-83 AU-72 AU-71 what nobody has told of an artifact is shown as not available and unknown', async () => {
    const { answer } = await asked('bare')
    const card = answer.getByRole('article').filter({ hasText: 'spreadsheet' })
    await card.waitFor()
    const text = (await card.textContent())!
    expect(text).toContain('Not available')
    expect(text).toContain('Unknown')
    expect(text).not.toMatch(/Ready|Saved|v1/)
  })

  it('P-242 time, tokens, cost and model stand below an answer when they are known, and not when they are not', async () => {
    const { page, answer } = await asked('count')
    await answer.getByText(/1\.2k tokens/i).waitFor()
    expect(await answer.textContent()).toMatch(/\d{1,2}:\d{2}.*tiny-1.*1\.2k tokens.*€0\.50/is)
    const plain = await asked('artifact', page)
    expect(await plain.answer.textContent()).not.toMatch(/token|€|tiny/)
  })

  it('P-243 a call that is tried again says so, and one that ends with its run is stopped and has not failed', async () => {
    await begin(shared, 'repeat')
    const answer = answers(shared).last()
    const second = answer.locator('details, li, div', { hasText: 'Fetch it again' }).last()
    await answer.getByText('Retried once').waitFor()
    await shared.getByRole('button', { name: 'Stop', exact: true }).click()
    await ended(shared)
    await second.waitFor()
    await answer.getByRole('img', { name: 'Stopped' }).waitFor()
    expect(await answer.getByText(/^First try failed/).count()).toBe(1)
  })

  it('P-211 a form says at each field what is wrong, and sends when it is right', async () => {
    await begin(shared, 'fields')
    const form = shared.getByRole('region', { name: 'Who comes?' })
    const field = (name: string) => form.getByLabel(name)
    await field('Name').fill('A')
    await field('Guests').fill('13')
    await field('E-mail').fill('nobody')
    const send = form.getByRole('button', { name: 'Send answers' })
    await send.click()
    for (const words of ['At least 2 characters.', 'Must be at most 12.', 'Is not a valid'])
      await form.getByText(words).waitFor()
    await field('Name').fill('Ada')
    await field('Guests').fill('2')
    await field('E-mail').fill('ada@example.com')
    await press(shared, send)
    const events = await ended(shared)
    expect(JSON.parse(saidIn(events)).value).toEqual({ name: 'Ada', guests: 2, email: 'ada@example.com' })
  })

  it('AU-74 AU-62 a run that cannot go on is shown as blocked, with the reason, and no longer when it was stopped', async () => {
    const page = shared
    await begin(page, 'block')
    await page.getByRole('img', { name: 'Blocked' }).first().waitFor()
    expect(await page.getByText('The build machine is missing.').isVisible()).toBe(true)
    await page.reload()
    await page.getByRole('img', { name: 'Blocked' }).first().waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('region', { name: 'Stopped' }).waitFor()
    expect(await page.getByRole('img', { name: 'Blocked' }).count()).toBe(0)
    await ended(page)
  })

  it('P-279 a page in Chinese gives reasons of the runtime and findings of the fold in Chinese', async () => {
    const page = await workbench.page({ locale: 'zh-CN' })
    await page.locator('[data-composer]').fill('odd')
    await page.locator('[data-composer]').press('Enter')
    await page.waitForURL(/\/s\//)
    await page.getByText('working').waitFor()
    const path = `/api/sessions/${sessionOf(page)}`
    const post = (to: string, data: object) => page.request.post(new URL(`${path}${to}`, page.url()).href, { data })
    await post('/queue', { turnId: 'later', text: '稍后' })
    await post('/interrupt', {})
    await page.getByText('你停止了这次运行').waitFor()
    await page.getByText('上一次运行被停止了').waitFor()
    await page.getByRole('button', { name: '打开侧面板' }).click()
    await page.getByRole('button', { name: '更多面板' }).click()
    await page.locator('.v-menu:popover-open').getByRole('button', { name: /诊断/ }).click()
    await page.getByText(/^智能体发送的事件格式不对，已被忽略。/).waitFor()
    await page.getByText(/^智能体发送了未知类型的事件，已被忽略。/).waitFor()
    expect(await page.getByText(/The run before|Interrupted by|Queue paused|There is no such/).count()).toBe(0)
  })
})
