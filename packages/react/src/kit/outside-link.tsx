import type { AnchorHTMLAttributes } from 'react'

/** How a link leads out of this page: beside it, without a handle back to it and without saying where one came from. */
export const outside = { target: '_blank', rel: 'noopener noreferrer' }

/** A link to a page of others. */
export const OutsideLink = (props: AnchorHTMLAttributes<HTMLAnchorElement>) => <a {...props} {...outside} />

/** Opens a page of others in the same way as a link to it. */
export const openOutside = (url: string): void => void window.open(url, '_blank', 'noopener,noreferrer')
