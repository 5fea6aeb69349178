import type { ReactNode } from 'react'
import { useRowState } from '../context.tsx'
import { Disclosure } from '../kit/disclosure.tsx'

interface Props {
  /** Under this name the choice of the person is kept while the row is out of sight. */
  id: string
  /** Whether it is open as long as the person has not decided. */
  open?: boolean
  className?: string
  summary: ReactNode
  children: () => ReactNode
}

/** A disclosure in a row that may scroll out of sight and is taken down then. */
export function KeptDisclosure({ id, open: automatic = false, ...rest }: Props) {
  const [chosen, choose] = useRowState<boolean | null>(`open:${id}`, null)
  return <Disclosure {...rest} open={chosen ?? automatic} onToggle={choose} />
}
