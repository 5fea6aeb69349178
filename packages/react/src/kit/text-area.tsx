import type { ComponentProps, CSSProperties, KeyboardEvent } from 'react'
import { isEnter } from './text-input.tsx'
import { withClass } from './with-class.ts'

type Props = ComponentProps<'textarea'> & {
  /** Code and data: letters of one width, and no spelling. */
  code?: boolean
  /** Enter sends it; with Shift it breaks the line. */
  onEnter?: () => void
}

/** Several lines of text. */
export function TextArea({ code, rows = 2, onEnter, onKeyDown, className, ...rest }: Props) {
  const base = code ? 'v-input v-mono' : 'v-input'
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    onKeyDown?.(event)
    if (!onEnter || event.shiftKey || !isEnter(event)) return
    event.preventDefault()
    onEnter()
  }
  return (
    <textarea
      {...(code && { spellCheck: false })}
      {...rest}
      rows={rows}
      // It grows with its text, and is never lower than its rows.
      style={{ '--v-rows': rows } as CSSProperties}
      onKeyDown={keyDown}
      className={withClass(base, className)}
    />
  )
}
