import { expect, it } from 'vitest'
import { logTo } from './log-to.ts'
import { ended, harness, OWNER, scripted } from './runtime/harness.fixture.ts'

it('P-699 the terminal of the operator shows the control characters of an agent and does not obey them', async () => {
  let written = ''
  const agent = scripted(async function* () {
    yield { type: 'text.delta', partId: 'p', delta: 'x' }
    throw new Error('\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b0m\rover\u202eesrever')
  }, 'test')
  const report = logTo({ write: text => (written += text) })
  const h = await harness({ agents: [agent], report })
  try {
    const id = await h.session()
    await h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await h.until(id, ended)
  } finally {
    await h.close()
  }
  // The id of an agent cannot have such characters: it is refused when the server starts.
  expect(written).toContain('The agent "test" failed')
  await expect(harness({ agents: [scripted(agent.run, 'test\u001b[1A')] })).rejects.toThrow('agents[0]')
  expect(written).toContain('␛]0;owned␇␛[2J␛[31mred<U+009B>0m␍over<U+202E>esrever')
  expect(written).toMatch(/\n {4}at .+log-to\.test\.ts/)
  expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})
