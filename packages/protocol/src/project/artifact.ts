import type { Artifact, SessionState } from '../entities.ts'
import type { ArtifactFacts, SessionEvent } from '../events.ts'
import { add, find, type Handlers } from './changes.ts'
import { showIn } from './message.ts'

const artifactChanged = (state: SessionState, event: ArtifactEvent & { artifact: Told }): void =>
  merge(state, event, event.artifact)

/** Artifacts. The classes differ in when they come; what they say is merged in the same way. */
export const artifactHandlers = {
  'artifact.created': artifactChanged,
  'artifact.updated': artifactChanged,
  'artifact.preview.ready': artifactChanged,
  'artifact.version.created': artifactChanged,
  'artifact.diff.ready': artifactChanged,
  'artifact.export.started': (state, event) => merge(state, event, { status: 'exporting', ...event.artifact }),
  'artifact.export.completed': artifactChanged,
  'artifact.failed': (state, event) => merge(state, event, { status: 'failed', ...event.artifact }),
  'artifact.deleted': (state, event) => merge(state, event, { status: 'deleted' }),
  'artifact.changed': artifactChanged,
} satisfies Partial<Handlers>

type Told = { [K in keyof ArtifactFacts]?: ArtifactFacts[K] | undefined }
type ArtifactEvent = Extract<SessionEvent, { type: `artifact.${string}` }>

function merge(state: SessionState, event: ArtifactEvent, facts: Told): void {
  const { artifactId } = event
  const old = find(state.artifacts, artifactId)
  const versions = old?.versions ?? []
  if (facts.version && !versions.some(version => version.id === facts.version!.id)) versions.push(facts.version)
  add(state, state.artifacts, {
    artifactId,
    facts: { ...old?.facts, ...facts } as Artifact['facts'],
    versions,
    deleted: facts.status === 'deleted' || (old?.deleted ?? false),
    updatedAt: state.at,
  })
  if (!old) showIn(state, event, artifactId)
}
