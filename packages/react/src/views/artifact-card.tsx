import type { SessionHandle } from '@vitrine/client'
import { type Artifact, artifactFacts } from '@vitrine/protocol'
import { useEntity } from '../hooks.ts'
import { en } from '../i18n/en.ts'
import { type I18n, type MessageKey, useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Icon, type IconData } from '../kit/icon.tsx'
import { ChartColumn, FileCode, FileText, GitCompare, Image, Table } from '../kit/icons.ts'
import { visible } from '../visible.tsx'
import { Unknown } from './status.tsx'

const icons: Readonly<Record<string, IconData>> = {
  chart: ChartColumn,
  code: FileCode,
  diff: GitCompare,
  image: Image,
  patch: GitCompare,
  table: Table,
}

/** A deliverable: kind, version and state as its owner reported them. The body is never in the chat. */
export function ArtifactCard({ handle, artifactId }: { handle: SessionHandle; artifactId: string }) {
  const { t, time } = useI18n()
  const artifact = useEntity(handle, `artifact:${artifactId}`, state => state.artifacts.byId.get(artifactId))
  if (!artifact) return <p className="v-note">{t('artifact.missing')}</p>
  const { kind, title, status, version, error } = artifactFacts(artifact)
  return (
    <article className="v-card v-artifact" data-state={status.known ? status.value : status.why}>
      <span className="v-artifact-kind">
        <Icon of={(kind.known && icons[kind.value]) || FileText} />
      </span>
      <div className="v-artifact-text">
        <p className="v-artifact-title" dir="auto">
          {title?.known ? visible(title.value) : visible(artifactId)}
        </p>
        <p className="v-artifact-facts">
          <span>{kind.known ? visible(kindWords(t, kind.value)) : <Unknown why={kind.why} />}</span>
          <span>{version.known ? visible(versionName(artifact)) : <Unknown why={version.why} />}</span>
          <span>
            {status.known ? statusWords(t, status.value, time(artifact.updatedAt)) : <Unknown why={status.why} />}
          </span>
        </p>
        {error.known && <p className="v-field-error">{visible(error.value.message)}</p>}
      </div>
      {artifact.deleted && <Badge>{t('artifact.deleted')}</Badge>}
    </article>
  )
}

/** What agents call a kind, in the language of the page where we have a word for it. */
function kindWords(t: I18n['t'], kind: string): string {
  const key = `artifact.kind.${kind}`
  return Object.hasOwn(en, key) ? t(key as MessageKey) : kind
}

const statusWords = (t: I18n['t'], status: string, at: string): string =>
  t(`artifact.${status}` as MessageKey, { time: at })

function versionName({ facts, versions }: Artifact): string {
  if (!facts.version) return ''
  const { id, label } = facts.version
  const number = versions.findIndex(version => version.id === id) + 1
  return label ?? (number ? `v${number}` : id)
}
