import { imageUrlProblem } from '@vitrine/genui'
import type { UiIconSpec } from '@vitrine/genui/schema'
import type { CSSProperties } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { Shapes } from '../../kit/icons.ts'
import { NamedIcon } from '../../kit/named-icon.tsx'
import { Picture } from '../../kit/picture.tsx'
import { visible } from '../../visible.tsx'

const unknown = <Icon of={Shapes} />

/** Decoration beside words. Its place is kept while it loads. */
export function NodeIcon({ icon }: { icon: UiIconSpec }) {
  const style: CSSProperties = {}
  if (icon.color !== undefined) style.color = icon.color
  if (icon.size !== undefined) style.fontSize = `${icon.size / 16}rem`
  if (icon.source === 'emoji')
    return (
      <span className="v-ui-icon v-ui-emoji" style={style}>
        {visible(icon.value)}
      </span>
    )
  return (
    <span className="v-ui-icon" style={style} aria-hidden>
      {icon.source === 'url' ? (
        imageUrlProblem(icon.value) ? (
          unknown
        ) : (
          <Picture src={icon.value} alt="" decoration fallback={unknown} />
        )
      ) : (
        <NamedIcon name={icon.value} vocabulary="lucide" unknown={unknown} />
      )}
    </span>
  )
}
