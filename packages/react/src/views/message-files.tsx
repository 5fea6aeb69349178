import type { SessionHandle } from '@vitrine/client'
import { fileUrl } from '@vitrine/client/files'
import type { FileRef } from '@vitrine/protocol'
import { useState } from 'react'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { FileName } from '../kit/file-name.tsx'
import { Icon } from '../kit/icon.tsx'
import { ArrowUpRight, Download } from '../kit/icons.ts'
import { OwnPicture } from '../kit/own-picture.tsx'
import { visibleText } from '../visible.tsx'
import { type FileInTurn, sentFile } from './attachment-store.ts'
import { fileKind, isPicture, isPictureName } from './file-kinds.ts'

/** The files that a person sent with a message or an agent added to it: pictures as pictures, everything else by name. */
export function MessageFiles({ handle, files }: { handle: SessionHandle; files: readonly FileRef[] }) {
  const { t } = useI18n()
  if (files.length === 0) return null
  return (
    <ul className="v-files" aria-label={t('file.label', { count: files.length })}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and the same file can be in it twice.
        <li key={index}>
          {isPicture(file.mediaType) ? (
            <SentPicture handle={handle} file={file} />
          ) : (
            <SentFile handle={handle} file={file} />
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * The files of a text that is on its way: nothing can be done with them yet. Each has the form that it will have as a part
 * of the message, so that nothing moves when it was sent.
 */
export function UnsentFiles({ files }: { files: readonly FileInTurn[] }) {
  const { t } = useI18n()
  if (files.length === 0) return null
  return (
    <ul className="v-files" aria-label={t('file.label', { count: files.length })}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and the same file can be in it twice.
        <li key={index}>
          <UnsentFile file={file} />
        </li>
      ))}
    </ul>
  )
}

function UnsentFile({ file: { digest, name } }: { file: FileInTurn }) {
  const { t, bytes } = useI18n()
  const known = sentFile(useVitrine().kept, digest)
  const { icon, word } = fileKind(known?.mediaType ?? '', name)
  if (known ? isPicture(known.mediaType) : isPictureName(name)) {
    const label = <span className="v-note">{visibleText(name)}</span>
    return (
      <span className="v-file-picture">
        {known?.preview ? <OwnPicture src={known.preview} alt={visibleText(name)} fallback={label} /> : label}
      </span>
    )
  }
  return (
    <span className="v-attachment v-file">
      <span className="v-attachment-picture">
        <Icon of={icon} />
      </span>
      <span className="v-attachment-words">
        <span className="v-attachment-name">
          <FileName name={name} />
        </span>
        {known?.size != null && (
          <span className="v-attachment-about">{t('file.about', { kind: t(word), size: bytes(known.size) })}</span>
        )}
      </span>
      {/* The place of the mark that it gets. */}
      <Icon of={Download} className="v-file-download v-file-download-later" />
    </span>
  )
}

interface Props {
  handle: SessionHandle
  file: FileRef
}

/** The name by which a file is spoken of. */
const nameOf = ({ name, digest }: FileRef): string => visibleText(name ?? digest.slice(0, 8))

function SentPicture({ handle, file }: Props) {
  const { t } = useI18n()
  const { client } = useVitrine()
  const [open, setOpen] = useState(false)
  const name = nameOf(file)
  const url = fileUrl(client, handle.sessionId, file.digest)
  return (
    <>
      <button
        type="button"
        className="v-file-picture"
        aria-label={t('file.open', { name })}
        title={name}
        onClick={() => setOpen(true)}
      >
        <OwnPicture src={url} alt={name} fallback={<span className="v-note">{t('file.noPicture', { name })}</span>} />
      </button>
      {open && (
        <Dialog label={name} title={name} className="v-file-dialog" onClose={() => setOpen(false)}>
          <div className="v-dialog-body">
            <OwnPicture src={url} alt={name} fallback={<p className="v-note">{t('file.noPicture', { name })}</p>} />
            <div className="v-actions">
              <ButtonLink icon={Download} href={url} download={file.name ?? ''}>
                {t('file.download')}
              </ButtonLink>
              <ButtonLink icon={ArrowUpRight} href={url} target="_blank" rel="noreferrer">
                {t('file.openTab')}
              </ButtonLink>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}

function SentFile({ handle, file }: Props) {
  const { t, bytes } = useI18n()
  const { client } = useVitrine()
  const name = nameOf(file)
  const { icon, word } = fileKind(file.mediaType, name)
  return (
    <a
      className="v-attachment v-file"
      href={fileUrl(client, handle.sessionId, file.digest)}
      download={file.name ?? ''}
      title={t('file.downloadName', { name })}
    >
      <span className="v-attachment-picture">
        <Icon of={icon} />
      </span>
      <span className="v-attachment-words">
        <span className="v-attachment-name">
          <FileName name={file.name ?? name} />
        </span>
        <span className="v-attachment-about">{t('file.about', { kind: t(word), size: bytes(file.size) })}</span>
      </span>
      <Icon of={Download} className="v-file-download" />
    </a>
  )
}
