import type { Command } from '@vitrine/protocol'
import { placeOf, readDraft, writeDraft } from '../drafts.ts'

/** Something that a text refers to. The title stands in the text, and the id goes with it as data. */
export interface Reference {
  kind: 'session' | 'artifact' | 'file'
  ref: string
  title: string
}

const MOST = 64

/** The words that stand for it in the text. */
export const referenceText = ({ title }: Pick<Reference, 'title'>): string => `@${title}`

/** Remembers what was put into the text of a place: a session, or the first screen. What left the text is forgotten. */
export function keepReference(place: string, reference: Reference, text: string): void {
  const others = referencesIn(place, text).filter(({ ref }) => ref !== reference.ref)
  writeDraft(placeOf('refers', place), { all: [...others, reference].slice(-MOST) })
}

/** What a text refers to: everything that was put in and still stands there. */
export function referencesIn(place: string, text: string): Reference[] {
  const { all } = readDraft(placeOf('refers', place))
  return Array.isArray(all) ? (all as Reference[]).filter(reference => text.includes(referenceText(reference))) : []
}

/** What a turn carries of it; nothing when the text refers to nothing. */
export function contextOf(place: string, text: string): Pick<Command<'submitTurn'>, 'context'> {
  const context = referencesIn(place, text)
  return context.length > 0 ? { context } : {}
}
