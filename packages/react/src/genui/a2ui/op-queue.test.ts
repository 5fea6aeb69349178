import { SurfaceModel } from '@vitrine/genui/a2ui'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OpQueue } from './op-queue.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('A2-136 operations on their way into a model', () => {
  it('are applied together with the next frame, and by a timer when the page is hidden before the frame comes', async () => {
    const frames: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
    vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0))
    // A busy machine would use up the time of a slice with the first operation.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const model = new SurfaceModel({ surfaceId: 's' }, [{ op: 'create', root: 'root' }])
    let applied = 0
    const queue = new OpQueue(model, () => applied++)
    const write = (value: number) => queue.push([{ op: 'set', path: '/n', value }])
    const read = () => model.dataModel()

    write(1)
    write(2)
    expect([applied, frames.length]).toEqual([0, 1])
    frames[0]!()
    expect([applied, read()]).toEqual([1, { n: 2 }])

    // A hidden page draws nothing: the frame that was asked for never comes.
    write(3)
    await vi.waitFor(() => expect(read()).toEqual({ n: 3 }))
    expect(applied).toBe(2)
  })
})
