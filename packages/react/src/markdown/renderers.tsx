import { judgeUrl } from '@vitrine/genui'
import type { ComponentType } from 'react'
import { MermaidBlock } from '../diagram/mermaid-block.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Picture } from '../kit/picture.tsx'
import { visible } from '../visible.tsx'

export interface CodeProps {
  code: string
  /** The first word after the fence, in lower case. */
  language: string
  /** All of what stands after the fence. */
  info?: string
  /** Whether the closing fence is there: until then the code goes on. */
  complete?: boolean
  /** The block that it is drawn for: what a person opened in it is remembered with it. */
  block?: object
}

/**
 * Fenced code that is drawn as something else than code, by its language. This is the one place for it; all other
 * languages are drawn by `CodeBlock`.
 */
export const codeRenderers: Record<string, ComponentType<CodeProps>> = { mermaid: MermaidBlock }

/** An image that can be drawn at once: its bytes are in the text. */
const INLINE_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i

/** What is shown of the words or the address of a picture that cannot be drawn. */
const LONGEST_WORDS = 300

/**
 * A picture in a text. This is the one place that draws it. A remote picture would tell its server that, and when, this
 * text was read: `Picture` asks the person first (C10).
 */
export function MarkdownImage({ href, text }: { href: string; text: string }) {
  const { t } = useI18n()
  // The bytes of a picture are no words.
  const words = text || (/^data:/i.test(href) ? t('ui.imageFailed') : href)
  const refused = (
    <span className="v-link-refused">
      {visible(words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words)}
    </span>
  )
  const remote = judgeUrl(href, 'text_image')
  if (!INLINE_IMAGE.test(href) && !remote.ok) return refused
  return <Picture src={remote.ok ? remote.url : href} alt={text} fallback={refused} />
}
