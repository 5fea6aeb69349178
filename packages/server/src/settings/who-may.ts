import type { Principal } from '../auth/principal.ts'
import { Refusal } from '../refusal.ts'

/** Whether somebody runs the installation: they may name any address, also one of the own network (H03). */
export const isOwner = ({ kind, roles }: Principal): boolean =>
  kind === 'local' || roles.includes('owner') || roles.includes('admin')

/** Guests and widgets have no settings of their own. */
export const mayHaveSettings = ({ kind }: Principal): boolean => kind !== 'guest' && kind !== 'widget'

/** Refuses somebody who has no settings. */
export function checkMayHaveSettings(who: Principal): void {
  if (mayHaveSettings(who)) return
  throw new Refusal('not_owner', 'A guest has no settings.', { next: 'Sign in.' })
}
