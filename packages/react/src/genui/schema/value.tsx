import type { ResolvedNode, UiWords } from '@vitrine/genui/schema'
import { useI18n } from '../../i18n/i18n.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { visible, visibleText } from '../../visible.tsx'
import { useUi } from './ui-context.ts'

/** A free value as people read it. Numbers stay as they are: a year or an id has no thousands. */
export function plainValue(value: unknown, words: UiWords): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value !== 'object') return String(value)
  const scalars = Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)
  return scalars ? value.map(item => plainValue(item, words)).join(', ') : JSON.stringify(value)
}

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
