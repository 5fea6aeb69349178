import { lucideName, lucideNameOfMaterial } from '@vitrine/genui'
import type { IconData } from './icon.tsx'
import * as set from './icon-set.ts'

/** Whose names a document uses: those of Material symbols (A2UI) or those of lucide (UI Schema). */
export type IconVocabulary = 'material' | 'lucide'

/** `calendar-check` stands in the set as `CalendarCheck`. */
const exported = (name: string): string =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The icon that an agent named, in whatever spelling. This file is fetched with the first icon that an agent names. */
export function findIcon(written: string, vocabulary: IconVocabulary): IconData | undefined {
  const key = exported(vocabulary === 'material' ? lucideNameOfMaterial(written) : lucideName(written))
  return Object.hasOwn(set, key) ? (set as Readonly<Record<string, IconData>>)[key] : undefined
}
