import { Suspense } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import { lazily } from '../../lazily.tsx'
import type { A2uiRendererProps } from './view.ts'

const Drawn = lazily(async () => ({ default: (await import('./table.tsx')).Table }))

/** A table. Sorting and scrolling long ones is code that most surfaces never need: it is fetched with the first table. */
export function Table(props: A2uiRendererProps) {
  const { t } = useI18n()
  return (
    <Suspense fallback={<p className="v-note">{t('fallback.loading')}</p>}>
      <Drawn {...props} />
    </Suspense>
  )
}
