import type { SessionHandle } from '@vitrine/client'
import { type Artifact, artifactFacts, type Fact } from '@vitrine/protocol'
import { useEntity } from '../hooks.ts'
import { type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon } from '../kit/icon.tsx'
import { FileText } from '../kit/icons.ts'
import { visible } from '../visible.tsx'
import { Unknown } from './status.tsx'

const statusKey = (status: string): MessageKey => `artifact.${status}` as MessageKey

/** A deliverable: kind, version and state as its owner reported them. The body is never in the chat. */
export function ArtifactCard({ handle, artifactId }: { handle: SessionHandle; artifactId: string }) {
  const { t } = useI18n()
  const artifact = useEntity(handle, `artifact:${artifactId}`, state => state.artifacts.byId.get(artifactId))
  if (!artifact) return <p className="v-note">{t('artifact.missing')}</p>
  const { kind, title, status, version, error } = artifactFacts(artifact)
  return (
    <article className="v-card v-artifact" data-state={status.known ? status.value : status.why}>
      <Icon of={FileText} />
      <div className="v-artifact-text">
        <p className="v-artifact-title">
          {title?.known ? visible(title.value) : visible(artifactId)}
          {artifact.deleted && <Badge>{t('artifact.deleted')}</Badge>}
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
  if (!facts.version) return ''
  const { id, label } = facts.version
  const number = versions.findIndex(version => version.id === id) + 1
  return label ?? (number ? `v${number}` : id)
}
