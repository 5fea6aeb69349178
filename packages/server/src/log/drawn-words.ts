import { surfaceWords } from '@vitrine/genui/a2ui'
import { readSchema, schemaToText } from '@vitrine/genui/schema'
import type { Surface, Tool } from '@vitrine/protocol'

/** So much of what an agent draws can be found, so that tables of thousands of rows do not fill the index. */
const MOST = 16 * 1024

/** The words of a card that a tool call has shown; empty when it has none. */
export function wordsOfCard({ result }: Pick<Tool, 'result'>): string {
  if (!result.known || result.value.preliminary || !result.value.ui) return ''
  try {
    const { schema } = readSchema(result.value.ui)
    return schema ? schemaToText(schema).slice(0, MOST) : ''
  } catch {
    // A card that cannot be read has no words; it is shown as its source.
    return ''
  }
}

/** The words of a surface as it is now; empty when it is not there any more. */
export function wordsOfSurface(surface: Surface): string {
  return surface.state === 'live' ? surfaceWords(surface, MOST) : ''
}
