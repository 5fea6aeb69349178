import { useI18n } from '../../i18n/i18n.tsx'
import { Diagnostic } from '../../kit/diagnostic.tsx'
import { OutsideLink } from '../../kit/outside-link.tsx'
import { frame, given, shown, text } from './props.ts'
import { type A2uiRendererProps, useA2uiView } from './view.ts'

export function Link({ node }: A2uiRendererProps) {
  const { t } = useI18n()
  const { readOnly } = useA2uiView()
  const href = given(node, 'href')
  const label = text(node, 'text') || shown(href)
  const refused = node.diagnostics.find(({ code }) => code.startsWith('url_'))
  if (refused || !href) {
    return (
      <span {...frame(node, 'v-a2-bends v-a2-link-refused')}>
        {label} {refused && <Diagnostic detail={refused.message}>{t('a2ui.linkRefused')}</Diagnostic>}
      </span>
    )
  }
  if (readOnly) return <span {...frame(node, 'v-a2-bends v-a2-link')}>{label}</span>
  const download = node.props.download === true
  return (
    <OutsideLink {...frame(node, 'v-a2-bends v-a2-link')} href={href} {...(download && { download: '' })}>
      {label}
      <span className="v-unseen"> {t(download ? 'a2ui.downloads' : 'kit.newTab')}</span>
    </OutsideLink>
  )
}
