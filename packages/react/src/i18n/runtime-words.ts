import type { I18n, MessageKey } from './i18n.tsx'

/** Sentences that the runtime writes into events, as it writes them. They are facts of the log, so they are told apart here. */
export const runtimeSentences: Readonly<Record<string, MessageKey>> = {
  'Interrupted by a person.': 'runtime.byPerson',
  'The agent did not stop in time; what it still sends is refused.': 'runtime.notInTime',
  'The agent ended without a result of this call.': 'runtime.noResult',
  'The agent failed without saying why.': 'runtime.noReason',
  'The agent has not taken up the steers before this one.': 'runtime.tooManySteers',
  'The log of this session could not be written.': 'runtime.notWritten',
  'The run before was cancelled.': 'runtime.beforeCancelled',
  'The run before was failed.': 'runtime.beforeFailed',
  'The run before was interrupted.': 'runtime.beforeInterrupted',
  'The run ended before it was taken up.': 'runtime.notTakenUp',
  'The run ended before this call did.': 'runtime.callCutOff',
  'The run is over.': 'runtime.over',
  'The server stopped before this call ended.': 'runtime.callStopped',
  'The server stopped while a run was working.': 'runtime.stoppedDuring',
  'The server stopped while this run was working.': 'runtime.stoppedThis',
  'The server was stopped.': 'runtime.stopped',
  'The session is being deleted.': 'runtime.deleted',
  'The text is too long to steer with.': 'runtime.steerTooLong',
  'Try again.': 'runtime.tryAgain',
}

/** A reason in the reader's language where the runtime gave it; what an agent or a person wrote stays as it is. */
export const reasonWords = (t: I18n['t'], text: string): string =>
  Object.hasOwn(runtimeSentences, text) ? t(runtimeSentences[text]!) : text
