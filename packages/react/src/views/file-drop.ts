import { useEffect, useRef, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** A field for files takes what is dropped on it by itself. */
const isFileField = ({ target }: Event): boolean => target instanceof HTMLInputElement && target.type === 'file'

/**
 * A file that is dropped beside the place for it would replace the page, and with it what was being written. From now on
 * nothing happens instead. The returned function ends this.
 */
export function keepPageOnDrop(page: Window = window): () => void {
  const stop = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event) || isFileField(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  page.addEventListener('dragover', stop)
  page.addEventListener('drop', stop)
  return () => {
    page.removeEventListener('dragover', stop)
    page.removeEventListener('drop', stop)
  }
}

/** Takes the files that are dropped anywhere in the window, and says whether some are being dragged over it. */
export function useFileDrop(onFiles: (files: File[], folders: string[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    // Each element below the pointer says when it is entered and left: the window is left when none is inside.
    let inside = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      inside++
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      inside = Math.max(inside - 1, 0)
      if (inside === 0) setOver(false)
    }
    const move = (event: DragEvent) => {
      if (!hasFiles(event) || isFileField(event)) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = 'copy'
    }
    const drop = (event: DragEvent) => {
      inside = 0
      setOver(false)
      if (!hasFiles(event) || isFileField(event)) return
      event.preventDefault()
      const { files, folders } = droppedIn(event.dataTransfer!)
      take.current(files, folders)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', move)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', move)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return over
}

/** A folder looks like a file until somebody reads it. */
function droppedIn({ items, files }: DataTransfer): { files: File[]; folders: string[] } {
  const entries = [...items].map(item => item.webkitGetAsEntry?.() ?? null)
  const folders = entries.flatMap(entry => (entry?.isDirectory ? [entry.name] : []))
  return { files: [...files].filter(({ name }) => !folders.includes(name)), folders }
}
