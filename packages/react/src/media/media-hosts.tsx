import { useEffect } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { X } from '../kit/icons.ts'
import { useMediaChoices } from './media-context.ts'

/** The sites whose images, video and audio are always shown, for the settings: each of a person's own can be taken back. */
export function MediaHosts() {
  const { t } = useI18n()
  const choices = useMediaChoices()
  useEffect(() => choices?.load(), [choices])
  if (!choices) return null
  const { hosts, serverHosts } = choices
  return (
    <fieldset className="v-media-hosts">
      <legend className="v-field-label">{t('media.label')}</legend>
      <p className="v-field-help">{t('media.help')}</p>
      {hosts.length + serverHosts.length === 0 ? (
        <p className="v-note">{t('media.none')}</p>
      ) : (
        <ul>
          {hosts.map(host => (
            <li key={host}>
              <span>{host}</span>
              <IconButton icon={X} label={t('media.forget', { host })} onClick={() => choices.forget(host)} />
            </li>
          ))}
          {serverHosts.map(host => (
            <li key={`server ${host}`}>
              <span>{host}</span>
              <span className="v-field-help">{t('media.byServer')}</span>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
