import type { JsonObject } from './json.ts'

/** What is shown and written in the place of something that a person typed hidden (L10). */
export const MASK = '••••••'

/** Whether a JSON Schema says that its value is typed hidden. */
export const isHiddenSchema = ({ format, writeOnly }: JsonObject): boolean =>
  format === 'password' || writeOnly === true
