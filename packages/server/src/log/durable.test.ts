import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEvent } from '@vitrine/protocol'
import { expect, it } from 'vitest'
import { harness, OWNER, scripted } from '../runtime/harness.fixture.ts'
import { createCommitPause } from '../storage/sqlite/pause-commits.ts'
import { openSqlite } from '../storage/sqlite/sqlite.ts'

it('L1 nobody is told of an event whose commit is held back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-durable-'))
  const pause = createCommitPause()
  const storage = await openSqlite({ folder, pauseCommits: pause.buffer })
  const agent = scripted(async function* () {
    for (let i = 0; i < 50; i++) {
      yield { type: 'text.delta', partId: 'p', delta: `${i} ` }
      await sleep(2)
    }
  })
  const h = await harness({ folder, storage, agents: [agent] })
  try {
    expect(await storage.pragma('synchronous')).toBe(2)
    const id = await h.session()
    const seen: SessionEvent[] = []
    const summaries: number[] = []
    h.hub.onEvents(id, ({ events }) => seen.push(...events))
    h.hub.onSummary(OWNER.id, summary => summaries.push(summary.seq))
    pause.pause()
    const submitted = h.runtime.submitTurn(OWNER, id, { turnId: 't', text: 'go' })
    await pause.paused()
    await sleep(100)
    expect(seen).toEqual([])
    expect(summaries).toEqual([])
    await expect(Promise.race([submitted, sleep(50, 'still waiting')])).resolves.toBe('still waiting')
    pause.resume()
    await submitted
    expect(seen.map(event => event.type)).toContain('run.started')
    await h.until(id, state => state.session.activeRunId === null && state.counts.runs === 1)
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => seen[0]!.seq + i))
  } finally {
    pause.resume()
    await h.close()
    await rm(folder, { recursive: true, force: true })
  }
})
