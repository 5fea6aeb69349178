import type { SessionHandle } from '@vitrine/client'
import type { Artifact, Fact } from '@vitrine/protocol'
import FileText from 'lucide-react/icons/file-text'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Unknown } from '../status.tsx'
import { visible } from '../visible.tsx'

const statusKey = (status: string): MessageKey => `artifact.${status}` as MessageKey

/** A deliverable: kind, version and state as its owner reported them. The body is never in the chat. */
export function ArtifactCard({ handle, artifactId }: { handle: SessionHandle; artifactId: string }) {
  const { t } = useI18n()
  const artifact = useEntity(handle, `artifact:${artifactId}`, state => state.artifacts.byId.get(artifactId))
  if (!artifact) return <p className="v-note">{t('artifact.missing')}</p>
  const { kind, title, status, version, error } = artifact.facts
  return (
    <article className="v-card v-artifact" data-state={status.known ? status.value : status.why}>
      <FileText aria-hidden />
      <div className="v-artifact-text">
        <p className="v-artifact-title">
          {title?.known ? visible(title.value) : visible(artifactId)}
          {artifact.deleted && <span className="v-badge">{t('artifact.deleted')}</span>}
        </p>
        <p className="v-artifact-facts">
          <FactText fact={kind} />
          <span>{version.known ? visible(versionName(artifact)) : <Unknown why={version.why} />}</span>
          <span>{status.known ? t(statusKey(status.value)) : <Unknown why={status.why} />}</span>
        </p>
        {error.known && <p className="v-field-error">{visible(error.value.message)}</p>}
      </div>
    </article>
  )
}

const FactText = ({ fact }: { fact: Fact<string> }) => (
  <span>{fact.known ? visible(fact.value) : <Unknown why={fact.why} />}</span>
)

function versionName({ facts, versions }: Artifact): string {
  if (!facts.version.known) return ''
  const { id, label } = facts.version.value
  const number = versions.findIndex(version => version.id === id) + 1
  return label ?? (number ? `v${number}` : id)
}
