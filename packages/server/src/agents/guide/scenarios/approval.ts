import { isObject, type Json } from '@vitrine/protocol'
import type { ActionResponse } from '../../agent.ts'
import { inline } from '../markdown.ts'
import type { Scenario } from '../scenario.ts'
import { allowed } from './responses.ts'

const SCOPE = { key: 'backups.delete', label: 'deleting old backups in this session' }

/** The arguments as the person left them; anything that is not a list of names is not an edit. */
function approved(response: ActionResponse, files: string[]): string[] {
  const value = response.value
  const edited: Json | undefined = isObject(value) ? value.files : undefined
  return Array.isArray(edited) && edited.every(name => typeof name === 'string') ? edited.slice(0, 50) : files
}

const list = (files: string[]) => files.map(name => inline(name, 80)).join(', ') || '*nothing*'

export const approval: Scenario = {
  id: 'approval',
  title: 'Approval once or for a scope',
  shows: 'asking for approval: once, for the scope, with edited arguments, or not at all',
  example: 'delete the old backups',
  triggers: [
    'approve',
    'approval',
    'permission',
    'delete the old backups',
    'delete',
    'dangerous',
    '批准',
    '审批',
    '许可',
    '删除',
  ],
  async *play(_input, _context, say) {
    const files = ['backup-2023.tar.gz', 'backup-2024.tar.gz']
    const call = { name: 'backups.delete', title: 'Delete backups', summary: files.join(', '), args: { files } }
    const toolCallId = yield* say.call(call)
    const response = await say.ask({
      kind: 'approval',
      title: 'Delete 2 backups for good?',
      detail: 'This cannot be undone. It is a demonstration: nothing real is deleted.',
      risk: 'high',
      scope: SCOPE,
      args: { files },
      toolCallId,
    })
    if (!allowed(response)) {
      const why = response.outcome === 'denied' ? 'You said no.' : 'Nobody answered in time, which counts as a no.'
      yield say.failed(toolCallId, { code: response.outcome, message: why, retryable: false })
      const instead =
        response.text === undefined ? '' : `You told me what to do instead: ${inline(response.text, 200)}. `
      yield* say.text(`${why} ${instead}**Nothing was deleted**, and I will not ask again unless you bring it up.`)
      return
    }
    const chosen = approved(response, files)
    await say.pause(600)
    yield say.result(toolCallId, { preview: `deleted: ${chosen.join(', ')}`, value: { deleted: chosen } })
    const edited = chosen.join() !== files.join()
    yield* say.text(
      `Deleted: ${list(chosen)}.${edited ? ' You edited the list, and I kept exactly to your version.' : ''} *(Only in this script, of course.)*`,
    )
    if (response.outcome === 'approved') {
      yield* say.text(
        'You allowed it **this one time**: the next deletion asks again. Choose *Always allow in this session* next time to see the difference.',
      )
      return
    }
    const older = ['backup-2022.tar.gz']
    const next = { name: 'backups.delete', title: 'Delete backups', summary: older.join(), args: { files: older } }
    const second = yield* say.call(next)
    const again = await say.ask({
      kind: 'approval',
      title: 'Delete 1 backup for good?',
      risk: 'high',
      scope: SCOPE,
      args: { files: older },
      toolCallId: second,
    })
    if (allowed(again)) {
      yield say.result(second, { preview: `deleted: ${older.join()}`, value: { deleted: older } })
      yield* say.text(
        `That was a second deletion, ${list(older)}, and it went through under the permission you just gave. It is listed among this session's permissions, where you can **revoke** it at any time.`,
      )
    } else {
      yield say.failed(second, { code: again.outcome, message: 'You did not allow it.', retryable: false })
      yield* say.text('You did not allow the second deletion, so I left it alone.')
    }
  },
}
