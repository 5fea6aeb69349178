import { newId } from '@vitrine/client'
import { forgetDraft, placeOf, readDraft, writeDraft, writeField } from '../drafts.ts'

/** A text that is not sent yet. Its id stays the same from try to try, so that a lost answer does not send it twice. */
export interface ComposerDraft {
  readonly text: string
  readonly id: string
}

export function readComposerDraft(sessionId: string): ComposerDraft {
  const { text, id } = readDraft(placeOf('draft', sessionId))
  return typeof text === 'string' && typeof id === 'string' ? { text, id } : { text: '', id: newId() }
}

export function keepComposerDraft(sessionId: string, { text, id }: ComposerDraft): void {
  const place = placeOf('draft', sessionId)
  if (text) writeDraft(place, { text, id })
  else forgetDraft(place)
}

/** Steers whose end is not known yet, with the text to give back should the run not take them. */
export const sentSteers = (sessionId: string): readonly (readonly [steerId: string, text: string])[] =>
  Object.entries(readDraft(placeOf('steers', sessionId))).map(([steerId, text]) => [steerId, String(text)])

/** Keeps the text of a steer until it is known what became of it; without a text it is forgotten. */
export const keepSteer = (sessionId: string, steerId: string, text?: string): void =>
  writeField(placeOf('steers', sessionId), steerId, text)
