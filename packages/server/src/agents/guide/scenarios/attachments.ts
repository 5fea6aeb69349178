import type { FileRef } from '@vitrine/protocol'
import type { AgentContext } from '../../agent.ts'
import { inline, quoted } from '../markdown.ts'
import type { Outputs, Say } from '../say.ts'
import type { Scenario } from '../scenario.ts'
import { inChinese } from './help.ts'

/** Bytes of a text of which the first line is shown. */
const LOOK = 4 * 1024

export const attachments: Scenario = {
  id: 'attachments',
  title: 'Files that you attach',
  shows: 'what an agent gets when you attach files: name, kind, size and bytes',
  example: 'what did I attach?',
  triggers: ['what did i attach', 'attachment', 'attachments', '附件', '我附上了什么'],
  async *play({ text, files = [] }, context, say) {
    if (files.length > 0) return yield* attached(files, text, context, say)
    yield* say.text(
      inChinese(text)
        ? '您没有附上文件。用输入框左下角的 **+**、粘贴或拖放来附加文件，我会说出我收到了什么。'
        : 'You attached nothing. Use the **+** in the composer, paste, or drop a file, and I tell you what I got.',
    )
  },
}

/** Says what came with a turn. The first line of a text file shows that an agent can read the bytes. */
export async function* attached(files: readonly FileRef[], text: string, context: AgentContext, say: Say): Outputs {
  const chinese = inChinese(text)
  const count = files.length
  const title = chinese ? `您附上了 ${count} 个文件：` : `You attached ${count === 1 ? 'one file' : `${count} files`}:`
  const lines = files.map(file => `- ${nameOf(file)}, ${file.mediaType}, ${sizeOf(file.size)}`)
  const readable = files.find(({ mediaType }) => mediaType.startsWith('text/'))
  const first = readable && (await firstLine(readable, context))
  const read = chinese ? '第一个文本文件的第一行：' : 'The first line of the first text file:'
  const line = first ? `\n\n${read}\n\n${quoted(first)}` : ''
  yield* say.text(`${title}\n\n${lines.join('\n')}${line}`)
}

const nameOf = ({ name, digest }: FileRef): string => inline(name ?? digest.slice(0, 8))

async function firstLine({ digest, size }: FileRef, context: AgentContext): Promise<string> {
  const bytes = await context.readFile(digest, { end: Math.min(size, LOOK) })
  return new TextDecoder().decode(bytes).trim().split('\n', 1)[0]!.slice(0, 200)
}

const KIND = ['bytes', 'KB', 'MB'] as const

function sizeOf(bytes: number): string {
  const power = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const shown = bytes / 1_000 ** power
  return `${power === 2 ? shown.toFixed(1) : Math.round(shown)} ${KIND[power]}`
}
