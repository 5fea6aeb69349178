import { type ComponentType, lazy } from 'react'
import { useI18n } from './i18n/i18n.tsx'
import { Button } from './kit/button.tsx'

/**
 * Like React's `lazy`, but a file that cannot be fetched leaves a note with a reload in its place. A tab that was open
 * during an update asks for files that are gone, and that must not take the whole page away.
 */
export const lazily = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy<ComponentType<P>>(() => load().catch(() => ({ default: NotLoaded })))

function NotLoaded() {
  const { t } = useI18n()
  return (
    <div className="v-not-loaded" role="alert">
      <p>{t('lazily.failed')}</p>
      <Button onClick={() => location.reload()}>{t('lazily.reload')}</Button>
    </div>
  )
}
