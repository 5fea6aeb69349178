import { readStored, writeStored } from '../stored.ts'

/** A text that is not sent yet. Its ids stay the same from try to try, so that a lost answer does not send it twice. */
export interface Draft {
  text: string
  id: string
}

const key = (sessionId: string) => `vitrine.draft.${sessionId}`

/** `randomUUID` exists only on secure pages; a workbench on a local network may not be one. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')

export const readDraft = (sessionId: string): Draft => readStored<Draft>(key(sessionId), { text: '', id: newId() })

export function writeDraft(sessionId: string, draft: Draft): void {
  writeStored(key(sessionId), draft.text ? draft : undefined)
}

/** Steers whose end is not known yet, with the text to give back should the run not take them. */
export type SentSteers = Readonly<Record<string, string>>
const steersKey = (sessionId: string) => `vitrine.steers.${sessionId}`

export const readSteers = (sessionId: string): SentSteers => readStored<SentSteers>(steersKey(sessionId), {})

export function writeSteers(sessionId: string, steers: SentSteers): void {
  writeStored(steersKey(sessionId), Object.keys(steers).length ? steers : undefined)
}
