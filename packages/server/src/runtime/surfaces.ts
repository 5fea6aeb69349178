import type { Json, JsonObject } from '@vitrine/protocol'
import type { SessionLog } from '../log/session-log.ts'
import type { ActiveRun } from './active-run.ts'

export async function applySurfaces(
  _log: SessionLog,
  _run: ActiveRun,
  _envelopes: Json[],
  _toolCallId: string | undefined,
): Promise<JsonObject> {
  throw new Error('engine not wired yet')
}
