import { phrasesOf, placesOf, type TextRange } from '@vitrine/protocol'
import { Fragment, type ReactNode } from 'react'
import { visible } from '../visible.tsx'
import { AgentFace } from './face.tsx'
import { Icon, type IconData } from './icon.tsx'
import { Shortcut } from './keys.tsx'

/** One line of a list box. */
export interface Option {
  id: string
  label: string
  /** The heading it stands below. */
  group: string
  icon?: IconData
  /** The agent whose face it has instead of an icon. */
  agentId?: string
  /** What is said at the end of its line. */
  detail?: string
  /** The shortcut that does the same, such as `Mod+K`. */
  keys?: string
}

interface Props<T extends Option> {
  id: string
  label: string
  options: readonly T[]
  /** The option that is chosen, if there is one. */
  current: T | undefined
  /** What was typed, which is shown in bold. */
  typed: string
  onTake: (option: T) => void
  onPoint: (option: T) => void
}

/** The id of an option in the page, for `aria-activedescendant`. */
export const optionId = (listId: string, option: Option): string => `${listId}-${option.id}`

/** The options of a field that is typed into. The field has the focus and the keys, as the pattern of a combobox asks. */
export function OptionList<T extends Option>({ id, label, options, current, typed, onTake, onPoint }: Props<T>) {
  return (
    <div id={id} role="listbox" aria-label={label} className="v-options">
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset.
        <div key={group} role="group" aria-label={group}>
          <div className="v-options-group" aria-hidden>
            {visible(group)}
          </div>
          {members.map(option => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as the pattern asks.
            <div
              key={option.id}
              id={optionId(id, option)}
              role="option"
              tabIndex={-1}
              aria-selected={option === current}
              ref={element => {
                if (element && option === current) element.scrollIntoView({ block: 'nearest' })
              }}
              className="v-option"
              // The focus stays in the field.
              onMouseDown={event => event.preventDefault()}
              onClick={() => onTake(option)}
              onPointerMove={() => option !== current && onPoint(option)}
            >
              {option.agentId !== undefined ? (
                <AgentFace agentId={option.agentId} size={16} />
              ) : (
                option.icon && <Icon of={option.icon} />
              )}
              <span className="v-option-label" dir="auto">
                {marked(option.label, typed)}
              </span>
              {option.detail && <span className="v-option-detail">{visible(option.detail)}</span>}
              {option.keys && <Shortcut keys={option.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The label with what was typed in bold, or marked. */
export function marked(label: string, typed: string, As: 'b' | 'mark' = 'b'): ReactNode {
  return markedAt(label, placesOf(label, phrasesOf(typed)), As)
}

/** A text with these places of it in bold, or marked. */
export function markedAt(text: string, places: readonly TextRange[], As: 'b' | 'mark'): ReactNode {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { start, end } of places) {
    pieces.push(<Fragment key={`t${at}`}>{visible(text.slice(at, start))}</Fragment>)
    pieces.push(<As key={start}>{visible(text.slice(start, end))}</As>)
    at = end
  }
  return [...pieces, <Fragment key={`t${at}`}>{visible(text.slice(at))}</Fragment>]
}
