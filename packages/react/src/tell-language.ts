import type { SessionHandle } from '@vitrine/client'
import { useCallback } from 'react'
import { useI18n } from './i18n/i18n.tsx'

/**
 * Tells the session in which language its reader reads, when that has changed: what the server itself writes into
 * interfaces, such as the button of a form, is in this language. For whoever is about to send something.
 */
export function useTellLanguage(handle: SessionHandle): () => void {
  const { locale } = useI18n()
  return useCallback(() => {
    if (handle.state.session.metadata.locale !== locale) void handle.updateSession({ metadata: { locale } })
  }, [handle, locale])
}
