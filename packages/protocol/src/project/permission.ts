import { add, find, type Handlers } from './changes.ts'

/** Grants that are remembered. */
export const permissionHandlers = {
  'permission.changed': (state, event) => {
    add(
      state,
      state.permissions,
      {
        permissionId: event.permissionId,
        scope: null,
        actionId: null,
        ...find(state.permissions, event.permissionId),
        state: event.state,
        by: null,
        at: state.at,
      },
      event,
    )
  },
} satisfies Partial<Handlers>
