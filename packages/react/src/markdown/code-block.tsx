import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Download, FileCode, TextWrap } from '../kit/icons.ts'
import { visible } from '../visible.tsx'
import { fileName, save } from './download.ts'
import { KINDS, type Marks } from './highlight-kinds.ts'
import { useMarks } from './highlighting.ts'
import { languageOf } from './languages.ts'
import type { CodeProps } from './renderers.tsx'
import { useKept } from './use-kept.ts'

/** Code of more lines is folded, so that what follows it is not far away. It is folded while it arrives, too: nothing jumps. */
const LONG = 60
const FOLDED = 40
/** Lines that are drawn at one click: more of them at once would hold up the page. */
const STEP = 1_000

/** Code with its language, and with what people do with code: wrap, copy, download, and unfold when it is long. */
export function CodeBlock({ code, language, info = '', complete = true, block }: CodeProps) {
  const { t } = useI18n()
  const [wraps, setWraps] = useKept(block, 'wraps', false)
  const [unfolded, setUnfolded] = useKept(block, 'unfolded', 0)
  const known = languageOf(language)
  const file = fileIn(info)
  const lines = useMemo(() => code.split('\n'), [code])
  const shown = useMemo(() => (lines.length > LONG ? lines.slice(0, FOLDED + unfolded) : lines), [lines, unfolded])
  const isAll = shown.length === lines.length
  const marks = useMarks(known?.id ?? '', shown, complete || !isAll)
  const left = lines.length - shown.length
  const name = file ?? known?.name ?? language
  return (
    <figure className="v-code" data-wraps={wraps || undefined}>
      <figcaption>
        <Icon of={FileCode} />
        <span className={file ? 'v-code-file' : 'v-code-language'}>{name ? visible(name) : t('markdown.code')}</span>
        <IconButton icon={TextWrap} label={t('markdown.wrap')} aria-pressed={wraps} onClick={() => setWraps(!wraps)} />
        <IconButton
          icon={Download}
          label={t('markdown.download')}
          onClick={() => save(fileName(file, known?.ending ?? 'txt'), code)}
        />
        <CopyButton text={() => code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must be able to. */}
      <pre tabIndex={0}>
        <code>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: code only grows at its end, so the place is the identity.
            <Line key={at} text={at + 1 < shown.length ? `${line}\n` : line} marks={marks[at]} />
          ))}
        </code>
      </pre>
      {left > 0 && (
        <Button look="quiet" className="v-code-more" onClick={() => setUnfolded(unfolded + STEP)}>
          {t('markdown.moreLines', { count: Math.min(left, STEP) })}
        </Button>
      )}
    </figure>
  )
}

/** Pieces of one line that have a colour. A line with more of them was made by a program, and nobody reads to its end. */
const MOST_PIECES = 500

/** One line. Pieces that have a colour are elements, the rest is text. */
const Line = memo(function Line({ text, marks }: { text: string; marks: Marks | undefined }) {
  if (!marks) return visible(text)
  const pieces: ReactNode[] = []
  let end = 0
  for (let at = 0; at < Math.min(marks.length, 2 * MOST_PIECES) && end < text.length; at += 2) {
    const piece = text.slice(end, end + marks[at]!)
    end += piece.length
    const kind = KINDS[marks[at + 1]!]
    pieces.push(
      kind ? (
        <span key={at} className={`v-code-${kind}`}>
          {visible(piece)}
        </span>
      ) : (
        <Fragment key={at}>{visible(piece)}</Fragment>
      ),
    )
  }
  return [...pieces, visible(text.slice(end))]
})

/** The name of a file after the fence: as a word with a dot or a slash, or as a title. */
function fileIn(info: string): string | undefined {
  const titled = /(?:title|file(?:name)?)=(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(info)
  if (titled) return titled[1] ?? titled[2] ?? titled[3]
  const [first = '', ...words] = info.split(/\s+/)
  return first
    .split(':')
    .slice(1)
    .concat(words)
    .find(word => /^[\w@()[\]./+-]*[./][\w()[\]./+-]*\w$/.test(word))
}
