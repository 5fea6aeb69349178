import { type KeyboardEvent, useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useReadable } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { Check, Folder as FolderIcon } from '../kit/icons.ts'
import { TextInput } from '../kit/text-input.tsx'
import { visible, visibleText } from '../visible.tsx'
import type { SessionActions } from './session-actions.ts'

/** Chooses the folder of a session: one that is there, a new one, or none. */
export function MoveSession({ actions }: { actions: SessionActions }) {
  const { t } = useI18n()
  const { client } = useVitrine()
  const { folders } = useReadable(client.sessions)
  const [name, setName] = useState('')
  const session = actions.moving
  if (!session) return null
  const now = folders.some(({ folderId }) => folderId === session.folderId) ? session.folderId : null
  const to = (folderId: string | null) => {
    actions.askMove(null)
    if (folderId !== now) actions.move(session, folderId)
  }
  const create = () => {
    if (name.trim()) to(actions.addFolder(name.trim()))
  }
  const choices = [
    { folderId: null, name: t('folders.none') },
    ...[...folders].sort((a, b) => a.name.localeCompare(b.name)),
  ]
  const title = t('folders.moveTitle', { title: visibleText(session.title) || t('sessions.untitled') })
  return (
    <Dialog label={title} title={title} className="v-move" onClose={() => actions.askMove(null)}>
      <div className="v-dialog-body">
        <ul className="v-move-list" onKeyDown={walk}>
          {choices.map(({ folderId, name: shown }) => (
            <li key={folderId ?? ''}>
              <button
                type="button"
                aria-current={folderId === now || undefined}
                ref={button => {
                  if (folderId === now) button?.setAttribute('autofocus', '')
                }}
                onClick={() => to(folderId)}
              >
                <Icon of={FolderIcon} />
                <span dir="auto">{visible(shown)}</span>
                {folderId === now && <Icon of={Check} />}
              </button>
            </li>
          ))}
        </ul>
        <div className="v-move-new">
          <TextInput
            aria-label={t('folders.newName')}
            placeholder={t('folders.newName')}
            maxLength={100}
            value={name}
            onChange={event => setName(event.target.value)}
            onEnter={create}
          />
          <Button disabled={!name.trim()} onClick={create}>
            {t('folders.create')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll('button')]
  items[(items.indexOf(document.activeElement as HTMLButtonElement) + step + items.length) % items.length]?.focus()
}
