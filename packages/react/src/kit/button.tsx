import type { AnchorHTMLAttributes, ComponentProps } from 'react'
import { Icon, type IconData } from './icon.tsx'
import { withClass } from './with-class.ts'

interface Look {
  /** Primary: what the person came for, once in a card. Quiet: beside other things. Link: quiet, in the accent colour. */
  look?: 'plain' | 'primary' | 'quiet' | 'link' | undefined
  /** What it does is dangerous or cannot be undone. */
  danger?: boolean | undefined
  icon?: IconData | undefined
}

export type ButtonProps = Look & ComponentProps<'button'>

const looks = { plain: 'v-button', primary: 'v-button v-primary', quiet: 'v-button v-quiet', link: 'v-button v-link' }

function classOf({ look = 'plain', danger }: Look, more: string | undefined): string {
  const base = danger ? `${looks[look]} v-danger` : looks[look]
  return withClass(base, more)
}

/** A button. It submits a form only when its type says so. */
export function Button({ look, danger, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={classOf({ look, danger }, className)}>
      {icon && <Icon of={icon} />}
      {children}
    </button>
  )
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  look,
  danger,
  icon,
  className,
  children,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...rest} className={classOf({ look, danger }, className)}>
      {icon && <Icon of={icon} />}
      {children}
    </a>
  )
}
