import { hiddenCharacters, judgeUrl } from '@vitrine/genui'
import type { ReactNode } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { OutsideLink } from '../kit/outside-link.tsx'
import { ARRIVING } from './unfinished.ts'

interface Props {
  href: string
  /** What the link says, without its marks. */
  words: string
  children: ReactNode
}

/** A link in a text. One that may not be followed is text that says so; one that names another address says where it leads. */
export function MarkdownLink({ href, words, children }: Props) {
  const { t } = useI18n()
  if (href === ARRIVING) return <span className="v-link-arriving">{children}</span>
  const link = judgeUrl(href, 'text_link')
  if (!link.ok) {
    return (
      <span className="v-link-refused" title={t('markdown.linkRefused', { href })}>
        {children}
      </span>
    )
  }
  const host = otherHost(words, link.url)
  return (
    <>
      <OutsideLink href={link.url}>{children}</OutsideLink>
      {host && <span className="v-link-host">{t('markdown.leadsTo', { host })}</span>}
    </>
  )
}

/** The host of a link whose words look like the address of another one. */
export function otherHost(words: string, url: string): string | undefined {
  // Without a dot nothing looks like an address.
  if (!words.includes('.')) return undefined
  const { hostname, protocol, pathname } = new URL(url)
  const host = protocol === 'mailto:' ? pathname.split('@').at(-1)! : hostname
  const named = words.replace(hiddenCharacters, '').matchAll(ADDRESS)
  for (const { 1: scheme, 2: name } of named) {
    if (!scheme && !COMMON.test(name!)) continue
    if (bare(name!) !== bare(host)) return host
  }
  return undefined
}

/** Something like an address: with a scheme, or a name with a dot in it. */
const ADDRESS = /(?:^|[\s("'<@])((?:https?|ftp):\/\/|www\.)?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/giu
/** Names such as "Node.js" and "README.md" have a dot, too, and are no addresses. */
const COMMON =
  /\.(?:com|org|net|edu|gov|mil|int|info|io|dev|app|ai|cloud|shop|bank|online|site|test|example|eu|de|fr|uk|nl|ch|at|it|es|pl|ru|cn|jp|kr|in|br|au|ca|us|co|me|xyz)$/i

function bare(host: string): string {
  try {
    return new URL(`https://${host}`).hostname.replace(/^www\./, '')
  } catch {
    return host
  }
}
