import { z } from 'zod'
import { artifactId, blobRef, event, failure, id, jsonObject, line, name, preview, time } from './base.schema.ts'

export const artifactFacts = z.object({
  kind: name.describe('What the artifact is, such as a document, a table or an image.'),
  title: line.optional().describe('What people call it.'),
  status: z
    .enum(['draft', 'generating', 'ready', 'saving', 'saved', 'conflict', 'exporting', 'failed', 'deleted'])
    .describe('How the artifact stands.'),
  version: z
    .object({
      id: id.describe('The version.'),
      parent: id.optional().describe('The version that it was made from.'),
      createdAt: time.optional().describe('When it was made.'),
      label: line.optional().describe('What people call the version.'),
    })
    .describe('The newest version. Versions never change.'),
  preview: z
    .object({
      text: preview.optional().describe('The beginning of the content as text.'),
      ref: blobRef.optional().describe('A preview in the blob store, such as an image.'),
      mediaType: name.optional().describe('What the preview is.'),
    })
    .describe('What can be shown without loading the content.'),
  read_ref: id.describe('Where the content is read.'),
  diff_ref: id.describe('Where the difference to the version before is read.'),
  source_refs: z.array(id).max(200).describe('What the artifact was made from.'),
  evidence_refs: z.array(id).max(200).describe('The evidence that supports it.'),
  write_capabilities: z.array(name).max(50).describe('What may be done with it, such as to edit or to export it.'),
  export: z
    .object({
      id: id.describe('The export.'),
      format: name.describe('The format that was asked for.'),
      state: z.enum(['running', 'done', 'failed']).describe('How far the export is.'),
      ref: blobRef.optional().describe('The exported bytes.'),
    })
    .describe('The newest export.'),
  error: failure.describe('Why the artifact failed.'),
  metadata: jsonObject.describe('What else is known about it.'),
})

const some = artifactFacts.partial()
const artifact = some.describe('What is known now. A fact that is left out stays as it was.')
const ofArtifact = { artifactId, artifact }
const later = 'It comes after `artifact.created` and never after `artifact.deleted`.'

export const artifactEvents = {
  'artifact.created': event(
    'artifact.created',
    {
      when: 'It comes when an agent or a person makes a deliverable.',
      why: 'The artifact has a place of its own; the conversation shows a card and never its content.',
      order: 'It comes before every other event of the artifact, except `artifact.changed` of an adapter.',
    },
    { artifactId, artifact: some.required({ kind: true }).describe('What is known now, at least its kind.') },
  ),
  'artifact.updated': event(
    'artifact.updated',
    {
      when: 'It comes when facts about an artifact change.',
      why: 'Its card and its workspace show what is known.',
      order: later,
    },
    ofArtifact,
  ),
  'artifact.preview.ready': event(
    'artifact.preview.ready',
    {
      when: 'It comes when there is a preview of the content.',
      why: 'People can look at the artifact before its content is loaded.',
      order: later,
    },
    ofArtifact,
  ),
  'artifact.version.created': event(
    'artifact.version.created',
    {
      when: 'It comes when an edit or an agent has made a new version.',
      why: 'Versions never change, so that they can be compared and gone back to.',
      order: `${later} The parent that it names came before.`,
    },
    {
      artifactId,
      artifact: some.required({ version: true }).describe('What is known now, at least the new version.'),
    },
  ),
  'artifact.diff.ready': event(
    'artifact.diff.ready',
    {
      when: 'It comes when the difference between two versions can be read.',
      why: 'A change can be reviewed before it is used.',
      order: later,
    },
    ofArtifact,
  ),
  'artifact.export.started': event(
    'artifact.export.started',
    {
      when: 'It comes when an export of the artifact begins.',
      why: 'An export takes time; the artifact is shown as exporting.',
      order: `${later} \`artifact.export.completed\` or \`artifact.failed\` follows.`,
    },
    ofArtifact,
  ),
  'artifact.export.completed': event(
    'artifact.export.completed',
    {
      when: 'It comes when an export is done.',
      why: 'It says where the exported bytes are. Nobody may conclude that from the words of an agent.',
      order: 'It comes after `artifact.export.started`.',
    },
    ofArtifact,
  ),
  'artifact.failed': event(
    'artifact.failed',
    {
      when: 'It comes when making, saving or exporting an artifact failed.',
      why: 'The failure is shown with the artifact, with its reason.',
      order: later,
    },
    { artifactId, artifact: some.required({ error: true }).describe('What is known now, at least the error.') },
  ),
  'artifact.deleted': event(
    'artifact.deleted',
    {
      when: 'It comes when an artifact is removed.',
      why: 'It is shown as deleted where it was mentioned.',
      order: 'It is the last event of the artifact.',
    },
    { artifactId },
  ),
  'artifact.changed': event(
    'artifact.changed',
    {
      when: 'It comes from an adapter that knows only that something about an artifact changed.',
      why: 'An agent that has one event for all changes loses nothing.',
      order: 'It may come without `artifact.created`. A fact that it leaves out stays as it was.',
    },
    ofArtifact,
  ),
} as const
