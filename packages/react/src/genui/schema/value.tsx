import { plainValue, type ResolvedNode } from '@vitrine/genui/schema'
import { useI18n } from '../../i18n/i18n.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { useUi } from './ui-context.ts'

export function KeyValues({ node }: { node: ResolvedNode<'kv'> }) {
  const { t } = useI18n()
  const { words } = useUi()
  const { columns = 1 } = node
  return (
    <dl className="v-ui-kv" data-columns={columns > 1 ? 'many' : 'one'} style={{ '--v-ui-columns': columns } as object}>
      {node.items.map((item, index) => {
        const label = item.label ?? item.key
        const text = plainValue(item.value, words)
        return (
          // A key may be given twice, so it cannot tell the items apart.
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity than their place.
          <div key={index}>
            <dt dir="auto">{visible(label)}</dt>
            <dd dir="auto">
              <span className="v-ui-value">{visible(text)}</span>
              {item.copyable && (
                <CopyButton text={() => text} label={t('ui.copyValue', { name: visibleText(label) })} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
