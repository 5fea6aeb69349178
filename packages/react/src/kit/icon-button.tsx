import { ariaKeys } from '../shortcuts.ts'
import type { ButtonProps } from './button.tsx'
import { Icon, type IconData } from './icon.tsx'
import { withClass } from './with-class.ts'

type Props = Omit<ButtonProps, 'children' | 'look' | 'danger' | 'title' | 'aria-label' | 'aria-keyshortcuts'> & {
  icon: IconData
  /** Its name, which a tooltip shows. */
  label: string
  /** The shortcut that does the same, such as `Mod+K`. */
  keys?: string
}

/** A quiet button that shows an icon and says its name. */
export function IconButton({ icon, label, keys, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={withClass('v-button v-quiet v-icon-button', className)}
      aria-label={label}
      aria-keyshortcuts={keys && ariaKeys(keys)}
    >
      <Icon of={icon} />
    </button>
  )
}
