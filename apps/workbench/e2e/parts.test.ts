import { readFile } from 'node:fs/promises'
import type { Agent, AgentOutput } from '@vitrine/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answers, begin, composer, ended, logOf, openWorkbench, send, type Workbench } from './harness.ts'

const LINES = Array.from({ length: 2_000 }, (_, line) => `line ${line} of the log`)

/** An agent whose calls wait until the test writes `go on` to it. */
const maker: Agent = {
  agentId: 'maker',
  name: 'Maker',
  description: 'Makes every part of a message',
  scripted: true,
  async *run({ text }, context): AsyncGenerator<AgentOutput> {
    const told = async () => {
      await context.steers.wait()
      await context.steers.take()
    }
    if (text === 'build') {
      const call = { toolCallId: 'c' }
      const summary = 'the whole tree'
      yield { type: 'tool.started', partId: 'c', ...call, name: 'build', title: 'Build', summary }
      yield { type: 'tool.args', ...call, delta: '{"target":"all"}', done: true }
      yield { type: 'tool.progress', ...call, message: 'compiling', current: 1, total: 4 }
      yield { type: 'tool.output.delta', ...call, stream: 'output', delta: 'first \u001b[31mred\u001b[0m\n' }
      await told()
      yield { type: 'tool.output.delta', ...call, stream: 'output', delta: 'name\u202egpj.exe\n' }
      await told()
      yield { type: 'tool.result', ...call, ...(await context.store({ text: LINES.join('\n') })) }
    } else if (text === 'think') {
      for (const delta of ['<th', 'ink>Two waits ', 'in a row.</thi', 'nk>\n\nAsk both ', 'at once.'])
        yield { type: 'text.delta', partId: 'p', delta }
    } else if (text === 'ask') {
      // Beside a request alone, the capsule would lead to the request and not to the tree.
      context.spawn('idle', 'wait').catch(() => {})
      await context.ask({ kind: 'question', title: 'Which exchange rate?' })
    } else if (text === 'odd') {
      yield { type: 'text.delta', partId: 'p', delta: 'Done.' }
      yield { type: 'unknown.thing' } as never
    } else yield { type: 'text.delta', partId: 'p', delta: `${text}\n\n`.repeat(60) }
  },
}

const idle: Agent = {
  agentId: 'idle',
  name: 'Idle',
  description: 'Waits until it is stopped',
  scripted: true,
  async *run(_input, { signal }): AsyncGenerator<AgentOutput> {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  },
}

let workbench: Workbench
beforeAll(async () => {
  workbench = await openWorkbench({ agents: [maker, idle] })
})
afterAll(() => workbench?.close())
afterEach(() => expect(workbench.errors()).toEqual([]))

describe('what stands in a message', () => {
  it('P-8716 C08 an open call shows its output as it comes, and of a large result the beginning, the end and a way to all of it', async () => {
    const page = await workbench.page()
    await begin(page, 'build')
    const row = answers(page).getByText('Build', { exact: true })
    await row.click()
    const output = answers(page).getByRole('group', { name: 'Output', exact: true })
    await output.getByText('first').waitFor()
    // Escape sequences and marks that turn text around are shown, and not obeyed.
    expect(await output.textContent()).toContain('ESC[31mred')
    expect(await answers(page).textContent()).toMatch(/the whole tree.*compiling.*25%/s)
    const steer = async () => {
      await page.getByRole('radio', { name: 'Steer' }).check({ force: true })
      await send(page, 'go on')
    }
    await steer()
    await output.getByText('gpj.exe').waitFor()
    expect(await output.textContent()).not.toContain('\u202e')
    expect(await answers(page).textContent()).toContain('the whole tree')
    await steer()
    await ended(page)

    await answers(page).getByText('line 0 of the log').waitFor()
    await answers(page).getByText('line 1999 of the log').waitFor()
    expect(await answers(page).getByText('line 1000 of the log').count()).toBe(0)
    const saved = page.waitForEvent('download')
    await answers(page).getByRole('button', { name: 'Download' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('Build.txt')
    expect(await readFile(await file.path(), 'utf8')).toBe(LINES.join('\n'))
    await answers(page).getByText('line 1000 of the log').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copy = answers(page)
      .locator('.v-plain', { hasText: 'line 1000 of the log' })
      .getByRole('button', { name: 'Copy' })
    await copy.last().click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(LINES.join('\n'))
    await page.context().close()
  })

  it('P-8710 L5 a think block is a line of reasoning above the answer, on the page, in the log and in what is copied', async () => {
    const page = await workbench.page()
    await begin(page, 'think')
    await ended(page)
    const answer = answers(page)
    await answer.getByText('Ask both at once.').waitFor()
    expect(await answer.locator('.v-answer').textContent()).toBe('Ask both at once.')
    await answer.getByText('Two waits in a row.').waitFor()
    await answer.getByText(/^Thought/).click()
    await answer.locator('.v-disclosure-body').getByText('Two waits in a row.').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await answer.getByRole('button', { name: 'Copy the answer' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Ask both at once.')
    const text = JSON.stringify(await logOf(page))
    expect(text).not.toContain('think>')
    await page.context().close()
  })

  it('P-8720 the capsule opens the tree of tasks above it, and keys walk it, go to the place and close it', async () => {
    const page = await workbench.page()
    await begin(page, 'long')
    await ended(page)
    await send(page, 'ask')
    const capsule = page.getByRole('button', { name: /1 running.*1 needs you/ })
    await capsule.focus()
    await page.keyboard.press('Enter')
    const tree = page.getByRole('dialog', { name: 'Tasks' }).getByRole('tree')
    const rows = tree.getByRole('treeitem')
    await expect.poll(() => rows.count()).toBe(2)
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    // The request stands in the row of the one that asks.
    await expect.poll(focused).toMatch(/Maker.*Which exchange rate\?/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toContain('Idle')
    // Left goes to the parent, and then folds it away.
    await page.keyboard.press('ArrowLeft')
    await expect.poll(focused).toContain('Maker')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => rows.count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => tree.count()).toBe(0)
    expect(await capsule.evaluate(element => element === document.activeElement)).toBe(true)
    // Enter on a request goes to it.
    await page.keyboard.press('Enter')
    await rows.nth(1).waitFor()
    await page.keyboard.press('Home')
    await expect.poll(focused).toContain('Which exchange rate?')
    await page.keyboard.press('Enter')
    await expect.poll(() => tree.count()).toBe(0)
    const card = page.getByRole('region', { name: 'Which exchange rate?' })
    await expect.poll(() => card.evaluate(element => element.contains(document.activeElement))).toBe(true)
    // S stops the run from its row.
    await capsule.click()
    await page.keyboard.press('Home')
    await page.keyboard.press('s')
    await ended(page, 2)
    await page.context().close()
  })

  it('P-8718 new diagnostics have a mark in the head until somebody looks at them', async () => {
    const page = await workbench.page()
    await begin(page, 'odd')
    await ended(page)
    const mark = page.getByRole('button', { name: /1 new/ })
    await mark.click()
    await page.getByText(/event of an unknown class/).waitFor()
    await expect.poll(() => mark.count()).toBe(0)
    await page.reload()
    await page.getByText(/event of an unknown class/).waitFor()
    expect(await mark.count()).toBe(0)
    await composer(page).waitFor()
    await page.context().close()
  })
})
