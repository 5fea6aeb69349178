import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { isEnter } from '../kit/text-input.tsx'
import { type ComposerFiles, useAttachmentField } from './attachments.tsx'
import { type CompletesFrom, useComplete } from './composer-complete.tsx'

interface Props {
  text: string
  /** What is attached to the text. Nothing is sent before it is settled. */
  files: ComposerFiles
  placeholder: string
  rows: number
  /** The page has this one purpose. */
  autoFocus?: boolean
  input?: Ref<HTMLTextAreaElement>
  /** What Enter will do, or why nothing can be sent. */
  hint: ReactNode
  blocked?: boolean
  /** A hint that only names keys may go where there are none; one that warns is never cut short. */
  hintKind?: 'keys' | 'warning' | undefined
  onChange: (text: string) => void
  onEnter: () => void
  /** Sees every key first. A key whose default it prevents means nothing else any more. */
  onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  /** What commands and references come from. */
  completes?: CompletesFrom
  /** What goes along with the text, above it. */
  context?: ReactNode
  /** What can be chosen for the text, before the hint. */
  choices?: ReactNode
  /** What counts for this text and the next ones, before the buttons. */
  picks?: ReactNode
  buttons: ReactNode
}

/** Where a person writes, with what can be done with the text below it. */
export function ComposerBox(props: Props) {
  const { text, placeholder, rows, autoFocus, input, hint, blocked, onChange, onEnter, onKey } = props
  const { files, hintKind, context, choices, picks, buttons } = props
  const { t } = useI18n()
  const complete = useComplete(props.completes ?? {}, text)
  const { announce } = useVitrine()
  const { handlers, tray, button } = useAttachmentField(files.store, text, onChange)
  const enter = () => (files.waits ? announce(files.waits) : onEnter())
  return (
    <form
      className="v-composer-box"
      {...complete.form}
      {...handlers}
      onSubmit={event => {
        event.preventDefault()
        enter()
      }}
    >
      {tray}
      {context}
      <textarea
        ref={input}
        {...complete.field}
        data-composer
        className="v-composer-input"
        aria-label={t('composer.label')}
        aria-describedby="v-composer-hint"
        placeholder={placeholder}
        rows={rows}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: only on a page that is there to write.
        autoFocus={autoFocus}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          complete.onKey(event)
          if (!event.defaultPrevented) onKey?.(event)
          if (event.defaultPrevented || event.shiftKey || !isEnter(event)) return
          event.preventDefault()
          enter()
        }}
      />
      <div className="v-composer-bar">
        {button}
        {choices}
        <span
          id="v-composer-hint"
          className="v-composer-hint"
          data-blocked={blocked || undefined}
          data-kind={files.waits ? undefined : hintKind}
        >
          {files.waits ?? hint}
        </span>
        <div className="v-composer-buttons">
          {picks}
          {buttons}
        </div>
      </div>
      {complete.list}
    </form>
  )
}
