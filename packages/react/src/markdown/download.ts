import { hiddenCharacters } from '@vitrine/genui'

/** Gives a text to the person as a file. */
export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}

/** A name that is one on every system and hides nothing. The folders before it are left out. */
export function fileName(path: string | undefined, ending: string): string {
  const name = (path?.split(/[\\/]/).at(-1) ?? '').replace(hiddenCharacters, '').replace(/[<>:"|?*]/g, '_')
  return name.slice(-80).trim() || `code.${ending}`
}
