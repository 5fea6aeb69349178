import type { Scenario } from '../scenario.ts'

const FIRST = `# Packing list

- passport
- charger
- a book
`
const SECOND = `# Packing list

- passport and tickets
- charger
- a book
- rain jacket
`

export const artifact: Scenario = {
  id: 'artifact',
  title: 'Document with versions',
  shows: 'a document with versions that lives beside the conversation',
  example: 'write a document',
  triggers: ['artifact', 'document', 'write a document', 'file', 'draft', '文档', '产物', '文件'],
  async *play(_input, _context, say) {
    const artifactId = say.own('packing-list')
    const mediaType = 'text/markdown'
    yield* say.text('I write the list as a **document of its own**, not into the chat.')
    yield {
      type: 'artifact.created',
      artifactId,
      partId: say.part(),
      artifact: { kind: 'document', title: 'Packing list', status: 'generating', metadata: { scripted: true } },
    }
    await say.pause(800)
    yield { type: 'artifact.version.created', artifactId, artifact: { version: { id: 'v1', label: 'First draft' } } }
    yield {
      type: 'artifact.preview.ready',
      artifactId,
      artifact: { status: 'ready', preview: { text: FIRST, mediaType } },
    }
    yield* say.reasoning('Something is missing for the weather, and tickets belong next to the passport.')
    yield { type: 'artifact.updated', artifactId, artifact: { status: 'generating' } }
    await say.pause(800)
    yield {
      type: 'artifact.version.created',
      artifactId,
      artifact: { version: { id: 'v2', parent: 'v1', label: 'Tickets and rain' } },
    }
    yield {
      type: 'artifact.preview.ready',
      artifactId,
      artifact: { status: 'ready', preview: { text: SECOND, mediaType } },
    }
    yield* say.text(
      'Two versions: a first draft, and one with the tickets and a rain jacket. Versions never change; a new one names the one it builds on, so nothing you saw can be swapped behind your back.',
    )
  },
}
