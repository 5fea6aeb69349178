import { useSetting } from '@vitrine/react'
import { useCallback, useEffect, useState } from 'react'
import { packText, unpackText } from './link-text.ts'

/** Texts that came with a link have ids of this form, others are those of examples. */
const LINKED = 'link-'

export interface EditedTexts {
  /** The text of a link is still being read. */
  waiting: boolean
  /** Which text is in the editor: an example, or one that came with a link. */
  id: string
  text: string
  /** The texts of links that are not examples: the one in the editor, and those with edits. */
  linked: readonly string[]
  edited: ReadonlySet<string>
  choose: (id: string) => void
  change: (text: string) => void
  /** Goes back to the text as it was; one of a link whose edits are gone gives way to the first example. */
  reset: () => void
  /** An address of this page that opens the text. */
  link: () => Promise<string>
}

/**
 * The texts of an editor with examples. Each text has edits of its own, which this browser keeps: choosing another example
 * or opening a link takes none of them away.
 */
export function useEditedTexts(name: string, first: string, original: (id: string) => string | undefined): EditedTexts {
  const [edits, setEdits] = useSetting<Readonly<Record<string, string>>>(`vitrine.${name}.edits`, {})
  const [chosen, setChosen] = useState(() => new URLSearchParams(location.hash.slice(1)).get('example') ?? first)
  const [waiting, setWaiting] = useState(() => new URLSearchParams(location.hash.slice(1)).has('text'))
  const [opened, setOpened] = useState<Readonly<Record<string, string>>>({})
  const known = (id: string) => edits[id] ?? opened[id] ?? original(id)
  const id = known(chosen) === undefined ? first : chosen
  const before = opened[id] ?? original(id)
  const text = known(id) ?? ''

  useEffect(() => {
    const read = async () => {
      const asked = new URLSearchParams(location.hash.slice(1))
      const packed = asked.get('text')
      const linked = packed === null ? null : await unpackText(packed)
      const example = asked.get('example')
      if (linked !== null) {
        const at = LINKED + digest(linked)
        setOpened(texts => ({ ...texts, [at]: linked }))
        setChosen(at)
      } else if (example !== null) setChosen(example)
      setWaiting(false)
    }
    void read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])

  const link = useCallback(async () => {
    const address = new URL(location.href)
    address.hash = `text=${await packText(text)}`
    return address.href
  }, [text])

  return {
    waiting,
    id,
    text,
    linked: [...new Set([...Object.keys(edits), id])].filter(one => one.startsWith(LINKED)),
    edited: new Set(Object.keys(edits)),
    link,
    choose(next) {
      setChosen(next)
      const hash = next.startsWith(LINKED) ? '' : `#${new URLSearchParams({ example: next })}`
      history.replaceState(history.state, '', location.pathname + location.search + hash)
    },
    change(next) {
      const { [id]: _, ...others } = edits
      setEdits(next === before ? others : { ...others, [id]: next })
    },
    reset() {
      const { [id]: _, ...others } = edits
      setEdits(others)
    },
  }
}

/** A short name for a text. Two texts with the same one are so rare that the later one may win. */
function digest(text: string): string {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return `${hash.toString(36)}-${text.length}`
}
