import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from './node.tsx'
import { frame, given, shown, text } from './props.ts'
import { type RendererProps, useView } from './view.ts'

export function Link({ node }: RendererProps) {
  const { t } = useI18n()
  const { readOnly } = useView()
  const href = given(node, 'href')
  const label = text(node, 'text') || shown(href)
  const refused = node.diagnostics.find(({ code }) => code === 'blocked_url')
  if (refused || !href) {
    return (
      <span {...frame(node, 'v-a2-link-refused')}>
        {label} {refused && <Diagnostic text={t('a2ui.linkRefused')} detail={refused.message} />}
      </span>
    )
  }
  if (readOnly) return <span {...frame(node, 'v-a2-link')}>{label}</span>
  const download = node.props.download === true
  return (
    <a
      {...frame(node, 'v-a2-link')}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      {...(download && { download: '' })}
    >
      {label}
      <span className="v-unseen"> {t(download ? 'a2ui.downloads' : 'a2ui.newTab')}</span>
    </a>
  )
}
