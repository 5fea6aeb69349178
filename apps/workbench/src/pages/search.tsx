import { SearchField, SearchView, searchFieldKey } from '@vitrine/react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { hrefOf } from '../router.ts'
import { sessionPath } from '../routes.ts'
import { useSearchPlace } from '../search-place.ts'

/** What was said in all sessions. The field stands in the side bar, and here where there is none. */
export default function SearchPage() {
  const place = useSearchPlace()
  const fieldElsewhere = place?.fieldElsewhere ?? true
  const empty = place?.search?.asked.text === ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes there once.
  useEffect(() => {
    // On a phone the keyboard would cover what was found.
    if (fieldElsewhere || empty) document.querySelector<HTMLElement>('[data-search-field]')?.focus()
  }, [])
  if (!place?.search) return null
  const { search, head, openBeside, close } = place
  return (
    <SearchView
      asked={search.asked}
      onAsk={search.ask}
      hrefOf={sessionId => hrefOf(sessionPath(sessionId))}
      {...(openBeside && { onOpenBeside: openBeside })}
      head={content => (head ? createPortal(content, head) : <div className="w-search-head">{content}</div>)}
    >
      {!fieldElsewhere && (
        <SearchField
          className="w-search-field"
          value={search.typed}
          onChange={search.type}
          onClose={close}
          onKey={searchFieldKey}
        />
      )}
    </SearchView>
  )
}
