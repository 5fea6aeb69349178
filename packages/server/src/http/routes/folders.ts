import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Api, ApiEnv } from '../env.ts'
import { pathId, serve } from '../route.ts'

const tag = 'session' as const
const inFolder = z.object({ folderId: pathId('folderId', 'fol_1', 'The folder') })

/** The folders of the session list. */
export function folderRoutes(app: OpenAPIHono<ApiEnv>, { runtime, limits }: Api): void {
  serve(
    app,
    limits,
    {
      method: 'get',
      path: '/folders',
      operationId: 'listFolders',
      tag,
      summary: 'Lists the folders of the person',
      description: 'All of them come at once. The stream of the list tells when they change.',
      answers: { status: 200, bodies: ['FolderList'], description: 'All folders.' },
      refusals: ['storage_failed'],
    },
    ({ who }) => runtime.listFolders(who),
  )

  serve(
    app,
    limits,
    {
      method: 'put',
      path: '/folders/{folderId}',
      operationId: 'saveFolder',
      tag,
      summary: 'Makes a folder, or gives it another name',
      description:
        'The id is chosen by the caller. Under the id of a folder that was deleted it is that folder again, with the sessions that were in it and in no other one since.',
      params: inFolder,
      answers: { status: 200, bodies: ['FolderSaved'], description: 'The folder is there.' },
      refusals: ['folder_limit'],
    },
    ({ who, params, command }) => runtime.saveFolder(who, params.folderId, command),
  )

  serve(
    app,
    limits,
    {
      method: 'delete',
      path: '/folders/{folderId}',
      operationId: 'deleteFolder',
      tag,
      summary: 'Deletes a folder and leaves its sessions',
      description: 'The sessions are then in no folder.',
      params: inFolder,
      answers: { status: 204, bodies: [], description: 'The folder is gone.' },
      refusals: ['folder_not_found'],
    },
    ({ who, params }) => runtime.deleteFolder(who, params.folderId),
  )
}
