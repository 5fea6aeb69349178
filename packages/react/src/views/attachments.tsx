import { MAX_FILE_BYTES, MAX_FILES } from '@vitrine/protocol'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { problemWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { FileName } from '../kit/file-name.tsx'
import { Icon } from '../kit/icon.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Plus, RotateCcw, X } from '../kit/icons.ts'
import { OwnPicture } from '../kit/own-picture.tsx'
import { ProgressBar } from '../kit/progress.tsx'
import { visibleText } from '../visible.tsx'
import { type Attachment, type Attachments, attachmentsOf, type FileInTurn, type NotTaken } from './attachment-store.ts'
import { useFileDrop } from './file-drop.ts'
import { fileKind } from './file-kinds.ts'

/** What a composer has to do with files. */
export interface ComposerFiles {
  readonly store: Attachments
  /** Why a text cannot be sent before its files are settled, in words; null when it can. */
  readonly waits: string | null
  /** Hands the files to a text that is being sent. */
  take(): FileInTurn[] | undefined
  /** They come back with a text that was refused. */
  giveBack: Attachments['giveBack']
}

/** The files of a composer, by the session or page that it belongs to. */
export function useComposerFiles(where: string): ComposerFiles {
  const { client, kept } = useVitrine()
  const { t } = useI18n()
  const store = attachmentsOf(kept, client, where)
  const count = (state: Attachment['state'][]) => store.get().files.filter(file => state.includes(file.state)).length
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  // Numbers, so that the composer is not drawn again with each step of an upload.
  const under = useSyncExternalStore(subscribe, () => count(['waiting', 'uploading']))
  const failed = useSyncExternalStore(subscribe, () => count(['failed']))
  const waits =
    under > 0 ? t('attach.waits', { count: under }) : failed > 0 ? t('attach.stuck', { count: failed }) : null
  return { store, waits, take: () => store.take(), giveBack: (files, problem) => store.giveBack(files, problem) }
}

/** From this length on a pasted text is offered as a file. */
const LONG_TEXT = 20_000
/** What a message can hold. A longer text becomes a file at once. */
const MOST_TEXT = 1_000_000

/** What a composer's box needs to take files by button, paste and drop. */
export interface AttachmentField {
  /** For the box: what is pasted into it, and the key that removes the last file. */
  readonly handlers: { onPaste: (event: ClipboardEvent) => void; onKeyDown: (event: KeyboardEvent) => void }
  /** Stands above the text. */
  readonly tray: ReactNode
  /** Stands first in the row below the text. */
  readonly button: ReactNode
}

/** Takes files for a composer. `onText` changes the text when a part of it becomes a file. */
export function useAttachmentField(store: Attachments, text: string, onText: (text: string) => void): AttachmentField {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const [pasted, setPasted] = useState<string | null>(null)
  const over = useFileDrop((files, folders) => store.add(files, folders))
  const offered = pasted !== null && text.includes(pasted) ? pasted : null

  const attachText = (words: string) => store.add([new File([words], t('attach.pastedName'), { type: 'text/plain' })])
  const onPaste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData
    const words = event.clipboardData.getData('text/plain')
    // Office programs add a picture of what is copied to its words: then the words are meant.
    if (files.length > 0 && !types.includes('text/plain')) {
      event.preventDefault()
      store.add([...files])
    } else if (words.length + text.length > MOST_TEXT) {
      event.preventDefault()
      attachText(words)
    } else if (words.length >= LONG_TEXT) setPasted(words.replace(/\r\n?/g, '\n'))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const area = event.target
    const last = store.get().files.at(-1)
    if (event.key !== 'Backspace' || !(area instanceof HTMLTextAreaElement) || !last) return
    if (area.selectionStart !== 0 || area.selectionEnd !== 0 || event.nativeEvent.isComposing) return
    event.preventDefault()
    store.remove(last.id)
    announce(t('attach.removed', { name: last.name }))
  }
  const asFile = (words: string) => {
    setPasted(null)
    onText(text.replace(words, () => ''))
    attachText(words)
  }
  const tray = (
    <>
      <Chips store={store} />
      {offered !== null && (
        <AttachNote onClose={() => setPasted(null)} text={t('attach.offer')}>
          <Button onClick={() => asFile(offered)}>{t('attach.asFile')}</Button>
        </AttachNote>
      )}
      <NotTakenNote store={store} />
      {over && (
        <div className="v-drop" aria-hidden="true">
          <p>{t('attach.drop')}</p>
        </div>
      )}
    </>
  )
  return { handlers: { onPaste, onKeyDown }, tray, button: <AttachButton store={store} /> }
}

function AttachButton({ store }: { store: Attachments }) {
  const { t } = useI18n()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon={Plus} label={t('attach.add')} className="v-attach" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('attach.add')}
        onChange={event => {
          store.add([...(event.target.files ?? [])])
          // The same file can be chosen again after it was removed.
          event.target.value = ''
          // On a touch screen this would raise the keyboard over what was attached.
          if (matchMedia('(pointer: fine)').matches) focusText(event.target)
        }}
      />
    </>
  )
}

const focusText = (inside: Element) => inside.closest('form')?.querySelector('textarea')?.focus({ preventScroll: true })

function Chips({ store }: { store: Attachments }) {
  const { t } = useI18n()
  const { files } = useReadable(store)
  useSaid(files)
  if (files.length === 0) return null
  return (
    <ul className="v-attachments" aria-label={t('attach.label')}>
      {files.map(file => (
        <Chip key={file.id} file={file} store={store} />
      ))}
    </ul>
  )
}

/** Says when an upload has ended to those who listen instead of look. */
function useSaid(files: readonly Attachment[]): void {
  const { t } = useI18n()
  const { announce } = useVitrine()
  const before = useRef(new Map<string, Attachment['state']>())
  useEffect(() => {
    for (const { id, name, state } of files) {
      const was = before.current.get(id)
      if (was === 'uploading' && state === 'done') announce(t('attach.done', { name }))
      if (was === 'uploading' && state === 'failed') announce(t('attach.failed', { name }))
    }
    before.current = new Map(files.map(({ id, state }) => [id, state]))
  }, [files, announce, t])
}

function Chip({ file, store }: { file: Attachment; store: Attachments }) {
  const { t, bytes } = useI18n()
  const { name, state, share, preview } = file
  const { icon } = fileKind(file.mediaType, name)
  const shown = visibleText(name)
  const onItsWay = state === 'waiting' || state === 'uploading'
  const about = aboutFile(t, bytes, file)
  return (
    <li className="v-attachment" data-state={state}>
      <span className="v-attachment-picture">
        {preview ? <OwnPicture src={preview} alt="" fallback={<Icon of={icon} />} /> : <Icon of={icon} />}
      </span>
      <span className="v-attachment-words">
        <span className="v-attachment-name" title={shown}>
          <FileName name={name} />
        </span>
        <span className="v-attachment-about" title={state === 'failed' ? about : undefined}>
          {about}
        </span>
      </span>
      {state === 'failed' && store.canRetry(file.id) && (
        <IconButton icon={RotateCcw} label={t('attach.retry', { name: shown })} onClick={() => store.retry(file.id)} />
      )}
      <IconButton
        icon={X}
        label={t(onItsWay ? 'attach.cancel' : 'attach.remove', { name: shown })}
        onClick={event => {
          // The focus stays in the composer when the button goes.
          focusText(event.currentTarget)
          store.remove(file.id)
        }}
      />
      {onItsWay && <ProgressBar label={t('attach.progress', { name: shown })} value={share} />}
    </li>
  )
}

function aboutFile(t: I18n['t'], bytes: I18n['bytes'], file: Attachment): string {
  const { name, size, mediaType, state, share, problem } = file
  if (state === 'waiting') return t('attach.waiting')
  if (state === 'uploading') return t('attach.uploading', { percent: Math.floor(share * 100) })
  if (state === 'failed' && problem) return problemWords(t, problem)
  const kind = t(fileKind(mediaType, name).word)
  return size === null ? kind : t('file.about', { kind, size: bytes(size) })
}

/** Names that are spelled out. */
const NAMED = 3

function NotTakenNote({ store }: { store: Attachments }) {
  const { t, bytes } = useI18n()
  const { notTaken } = useReadable(store)
  if (notTaken.length === 0) return null
  const words = ({ why, names }: NotTaken) => {
    const named = names.slice(0, NAMED).map(visibleText).join(', ')
    const more = names.length - NAMED
    const which = more > 0 ? t('attach.more', { names: named, count: more }) : named
    return t(`attach.notTaken.${why}`, { which, most: MAX_FILES, size: bytes(MAX_FILE_BYTES) })
  }
  return <AttachNote text={notTaken.map(words).join(' ')} onClose={() => store.forgetNotTaken()} />
}

function AttachNote({ text, onClose, children }: { text: string; onClose: () => void; children?: ReactNode }) {
  const { t } = useI18n()
  return (
    <div className="v-attach-note" role="status">
      <p>{text}</p>
      {children}
      <IconButton icon={X} label={t('action.close')} onClick={onClose} />
    </div>
  )
}
