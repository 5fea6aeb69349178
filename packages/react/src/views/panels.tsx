import type { SessionHandle } from '@vitrine/client'
import type { Diagnostic, Json, Permission } from '@vitrine/protocol'
import { useAgentNames } from '../agents.tsx'
import { useEntity } from '../hooks.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { reasonWords } from '../i18n/reason-words.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { ShieldCheck } from '../kit/icons.ts'
import { StatusDot } from '../kit/status-dot.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible } from '../visible.tsx'
import { byWords } from './answered-words.ts'
import { KeptDisclosure } from './kept-disclosure.tsx'
import { useSeeDiagnostics } from './new-diagnostics.tsx'
import { sessionUsage } from './session-usage.tsx'
import { Unknown } from './status.tsx'
import { useCommand } from './use-command.ts'

/** The state an agent shares with its session, as a tree. */
export function StateInspector({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const { value } = useEntity(handle, 'state', state => state.shared)
  if (!value.known) {
    return (
      <p className="v-panel-empty">
        <Unknown why={value.why} /> {t('state.empty')}
      </p>
    )
  }
  return (
    <div className="v-panel-body">
      <div className="v-panel-tools">
        <CopyButton text={() => JSON.stringify(value.value, null, 2)} label={t('state.copy')} />
      </div>
      <div className="v-tree">
        <Node name={null} value={value.value} path="" depth={0} />
      </div>
    </div>
  )
}

const MANY = 200

function Node(props: { name: string | null; value: Json; path: string; depth: number }) {
  const { name, value, path, depth } = props
  const { t } = useI18n()
  const label = name !== null && <span className="v-tree-name">{visible(name)}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="v-tree-leaf">
        {label}
        <span className={`v-tree-${value === null ? 'null' : typeof value}`}>{visible(JSON.stringify(value))}</span>
      </div>
    )
  }
  const entries = Array.isArray(value) ? value.map((item, at) => [String(at), item] as const) : Object.entries(value)
  return (
    <KeptDisclosure
      id={`state:${path}`}
      open={depth < 2}
      summary={
        <>
          {label}
          <span className="v-tree-size">
            {t(Array.isArray(value) ? 'state.items' : 'state.fields', { count: entries.length })}
          </span>
        </>
      }
    >
      {() => (
        <>
          {entries.slice(0, MANY).map(([key, item]) => (
            <Node key={key} name={key} value={item} path={`${path}/${key}`} depth={depth + 1} />
          ))}
          {entries.length > MANY && <p className="v-note">{t('state.more', { count: entries.length - MANY })}</p>}
        </>
      )}
    </KeptDisclosure>
  )
}

/** The permissions that a session remembers, each with a button that revokes it. */
export function Permissions({ handle }: { handle: SessionHandle }) {
  const { t } = useI18n()
  const agentName = useAgentNames()
  const all = useEntity(handle, 'permissions', state => [...state.permissions.byId.values()])
  if (all.length === 0) {
    const { agentId } = handle.state.session
    const name = agentName(agentId.known ? agentId.value : '')
    return <Empty icon={ShieldCheck} title={t('permissions.empty')} text={t('permissions.emptyHelp', { name })} />
  }
  return (
    <ul className="v-list v-panel-body">
      {all
        .sort((a, b) => b.at - a.at)
        .map(permission => (
          <PermissionItem key={permission.permissionId} handle={handle} permission={permission} />
        ))}
    </ul>
  )
}

function PermissionItem({ handle, permission }: { handle: SessionHandle; permission: Permission }) {
  const { t, dateTime } = useI18n()
  const { sending, problem, send } = useCommand()
  const granted = permission.state === 'granted'
  const revoke = () => send(() => handle.revokePermission(permission.permissionId))
  return (
    <li className="v-list-item">
      <StatusDot tone={granted ? 'good' : 'idle'} label={t(granted ? 'permissions.granted' : 'permissions.revoked')} />
      <div className="v-list-text">
        <p>{permission.scope ? visible(permission.scope.label) : <Unknown why="unknown" />}</p>
        <p className="v-note">
          {t(granted ? 'permissions.granted' : 'permissions.revoked')}
          {permission.by && ` ${byWords(t, permission.by)}`} · {dateTime(permission.at)}
        </p>
        {problem && <ProblemNote title={t('permissions.failed')} problem={problem} />}
      </div>
      {granted && (
        <Button disabled={sending} onClick={revoke}>
          {t('permissions.revoke')}
        </Button>
      )}
    </li>
  )
}

const levels = { info: 'idle', warning: 'attention', error: 'danger' } as const

/** What went wrong or was repaired on the way, with how often. */
export function Diagnostics({ handle }: { handle: SessionHandle }) {
  const { t, number, cost } = useI18n()
  useSeeDiagnostics(handle)
  const all = useEntity(handle, 'diagnostics', state => [...state.diagnostics.byId.values()])
  const metrics = useEntity(handle, 'metrics', state => state.metrics.values)
  const { counts, seq } = handle.state
  const used = sessionUsage(handle.state)
  const facts: [string, string][] = [
    ...(used.tokens === null ? [] : [[t('diagnostics.tokens'), number(used.tokens)] satisfies [string, string]]),
    ...(used.cost
      ? [[t('diagnostics.cost'), cost(used.cost.amount, used.cost.currency)] satisfies [string, string]]
      : []),
    [t('diagnostics.seq'), number(seq)],
    [t('diagnostics.messages'), number(counts.messages)],
    [t('diagnostics.runs'), number(counts.runs)],
    [t('diagnostics.tools'), number(counts.tools)],
    ...Object.entries(metrics).map(([name, value]): [string, string] => [
      name,
      typeof value === 'number' ? number(value) : typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ]
  return (
    <div className="v-panel-body">
      <dl className="v-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{visible(name)}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
      {all.length === 0 ? (
        <p className="v-note">{t('diagnostics.empty')}</p>
      ) : (
        <ul className="v-list">
          {all.map(diagnostic => (
            <DiagnosticItem key={diagnostic.diagnosticId} diagnostic={diagnostic} />
          ))}
        </ul>
      )}
    </div>
  )
}

function DiagnosticItem({ diagnostic }: { diagnostic: Diagnostic }) {
  const { t } = useI18n()
  const { level, state, code, count } = diagnostic
  const cleared = state === 'cleared'
  const word = cleared ? t('diagnostics.cleared') : t(`diagnostics.${level}`)
  return (
    <li className="v-list-item" data-cleared={cleared || undefined}>
      <StatusDot tone={cleared ? 'good' : levels[level]} label={word} />
      <div className="v-list-text">
        <p>{visible(reasonWords(t, diagnostic))}</p>
        <p className="v-note">
          {word} · <code>{visible(code)}</code>
          {count > 1 && <> · {t('diagnostics.times', { count })}</>}
        </p>
      </div>
    </li>
  )
}
