import type { VitrineClient } from '@vitrine/client'
import type { Answer, AnswerName } from '@vitrine/protocol'

/** A small answer of the server that most pages never need, so that the client has no method for it. Null when there is none. */
export async function readAnswer<N extends AnswerName>(
  { api }: VitrineClient,
  path: string,
): Promise<Answer<N> | null> {
  try {
    const answer = await (api.fetch ?? fetch)(api.baseUrl + path, { headers: { accept: 'application/json' } })
    return answer.ok ? ((await answer.json()) as Answer<N>) : null
  } catch {
    return null
  }
}
