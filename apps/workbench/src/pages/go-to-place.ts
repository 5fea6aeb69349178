import type { TextPosition } from '@vitrine/genui'

/** Puts the caret of an editor at a place in its text. */
export function goToPlace(editor: HTMLTextAreaElement | null, { line, column }: TextPosition): void {
  if (!editor) return
  const before = editor.value.split('\n').slice(0, line - 1)
  const offset = before.reduce((sum, content) => sum + content.length + 1, 0) + column - 1
  editor.focus()
  editor.setSelectionRange(offset, offset)
}
