import { visible, visibleText } from '../visible.tsx'

/** Names up to this length are drawn in one piece. */
const SHORT = 24
/** Characters at the end of a name that are always shown. */
const END = 10

/** The name of a file. Where it does not fit, it is cut before its end, which tells files of one series apart. */
export function FileName({ name }: { name: string }) {
  const characters = [...name]
  if (characters.length <= SHORT) return visible(name)
  return (
    <>
      <span className="v-unseen">{visibleText(name)}</span>
      <span className="v-file-name" aria-hidden>
        <span>{visible(characters.slice(0, -END).join(''))}</span>
        <span>{visible(characters.slice(-END).join(''))}</span>
      </span>
    </>
  )
}
