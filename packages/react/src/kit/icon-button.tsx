import type { ButtonProps } from './button.tsx'
import { Icon, type IconData } from './icon.tsx'
import { withClass } from './with-class.ts'

type Props = Omit<ButtonProps, 'children' | 'look' | 'danger' | 'title' | 'aria-label'> & {
  icon: IconData
  /** Its name, which is also shown on hover. */
  label: string
}

/** A quiet button that shows an icon and says its name. */
export function IconButton({ icon, label, className, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={withClass('v-button v-quiet v-icon-button', className)}
      aria-label={label}
      title={label}
    >
      <Icon of={icon} />
    </button>
  )
}
