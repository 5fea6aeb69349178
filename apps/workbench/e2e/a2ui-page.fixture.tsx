// A page with one surface and nothing else, for tests that count or measure its drawing.
import { SurfaceModel } from '@vitrine/genui/a2ui'
import type { SurfaceOp } from '@vitrine/protocol'
import { type A2uiRendererProps, A2uiSurface, OpQueue, type SendOutcome } from '@vitrine/react/a2ui'
import { createRoot } from 'react-dom/client'

const draws: Record<string, number> = {}
const sent: unknown[] = []
let answer: SendOutcome = { ok: true }

/** Counts for each node how often it is drawn. */
function Probe({ node }: A2uiRendererProps) {
  draws[node.id] = (draws[node.id] ?? 0) + 1
  if (node.props.text === 'boom') throw new Error('out of order')
  return <p data-probe={node.id}>{String(node.props.text ?? '')}</p>
}

const model = new SurfaceModel({ surfaceId: 's', locale: 'en' })
const queue = new OpQueue(model)
const renderers = { Probe }

const kit = {
  draws,
  sent,
  model,
  apply: (ops: SurfaceOp[]) => model.apply(ops),
  answerWith(next: SendOutcome) {
    answer = next
  },
  mount() {
    createRoot(document.getElementById('root')!).render(
      <A2uiSurface
        model={model}
        renderers={renderers}
        send={async (action, edits) => {
          sent.push({ action, edits })
          // The accepted edits become facts of the surface.
          if (answer.ok) model.apply(Object.entries(edits).map(([path, value]) => ({ op: 'set', path, value })))
          return answer
        }}
      />,
    )
  },
  /** Pushes `perSecond` leaf writes for `ms` through the queue that live surfaces use, over `nodes` bound components. */
  async flood(nodes: number, perSecond: number, ms: number): Promise<{ applied: number; frames: number }> {
    const from = performance.now()
    let pushed = 0
    let frames = 0
    const frame = () => {
      frames++
      if (performance.now() - from < ms) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    await new Promise<void>(done => {
      const timer = setInterval(() => {
        const due = Math.min((perSecond * ms) / 1000, ((performance.now() - from) * perSecond) / 1000)
        const ops: SurfaceOp[] = []
        for (; pushed < due; pushed++) ops.push({ op: 'set', path: `/v/${pushed % nodes}`, value: pushed })
        if (ops.length > 0) queue.push(ops)
        if (pushed < (perSecond * ms) / 1000) return
        clearInterval(timer)
        done()
      }, 4)
    })
    return { applied: pushed, frames }
  },
}
Object.assign(globalThis, { kit })
export type Kit = typeof kit
