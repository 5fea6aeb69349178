import type { UiStatus } from '@vitrine/genui/schema'
import type { Tone } from '../../kit/badge.tsx'
import type { IconData } from '../../kit/icon.tsx'
import { CircleAlert, CircleCheck, Clock, Info, TriangleAlert } from '../../kit/icons.ts'

/** The shape says what the colour says. */
export const statusIcons: Record<UiStatus, IconData> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
  pending: Clock,
}

export const statusTones: Record<UiStatus, Tone> = {
  info: 'plain',
  success: 'success',
  warning: 'warning',
  error: 'danger',
  pending: 'accent',
}
