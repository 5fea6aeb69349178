import type { TextPosition } from '@vitrine/genui'
import { TextArea } from '@vitrine/react'
import { type Ref, useImperativeHandle, useRef } from 'react'
import './code-editor.css'

export interface CodeEditorHandle {
  /** Puts the caret at a place, and the place into sight. */
  goTo: (place: TextPosition) => void
}

interface Props {
  ref: Ref<CodeEditorHandle>
  label: string
  describedBy?: string
  text: string
  /** Lines with something to say about them. */
  marks: readonly { line: number; level: string }[]
  onChange: (text: string) => void
}

/** JSON to write, with the numbers of its lines. */
export function CodeEditor({ ref, label, describedBy, text, marks, onChange }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => ({
    goTo({ line, column }) {
      const editor = area.current
      if (!editor) return
      const before = editor.value.split('\n').slice(0, line - 1)
      const offset = before.reduce((sum, content) => sum + content.length + 1, 0) + column - 1
      editor.focus()
      editor.setSelectionRange(offset, offset)
      const height = Number.parseFloat(getComputedStyle(editor).lineHeight)
      editor.scrollTop = (line - 1) * height - editor.clientHeight / 3
    },
  }))
  const count = text.split('\n').length
  return (
    <div className="w-code" style={{ '--w-digits': String(count).length } as object}>
      <div className="w-code-gutter" aria-hidden>
        <div ref={numbers}>
          <pre>{Array.from({ length: count }, (_, at) => at + 1).join('\n')}</pre>
          {[...new Map(marks.map(mark => [mark.line, mark])).values()].map(({ line, level }) => (
            <span key={line} data-level={level} style={{ insetBlockStart: `calc(${line - 1} * 1lh)` }}>
              {line}
            </span>
          ))}
        </div>
      </div>
      <TextArea
        ref={area}
        code
        aria-label={label}
        aria-describedby={describedBy}
        value={text}
        autoCapitalize="off"
        wrap="off"
        onChange={event => onChange(event.target.value)}
        onScroll={event => {
          if (numbers.current) numbers.current.style.translate = `0 ${-event.currentTarget.scrollTop}px`
        }}
      />
    </div>
  )
}
