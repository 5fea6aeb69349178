import { deleteProvider, listProviders, testProvider } from '@vitrine/client/settings'
import type { Problem, ProviderInfo } from '@vitrine/protocol'
import { useCallback, useState } from 'react'
import { useRefreshAgents } from '../agents.tsx'
import { useVitrine } from '../context.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { ConfirmDialog } from '../kit/dialog.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { visible, visibleText } from '../visible.tsx'
import { TestResult } from './test-result.tsx'
import { useLoaded } from './use-loaded.ts'
import { settingsWords } from './words.ts'

/** The providers that are connected: how each stands, a test, and the way to take it away. */
export function ProvidersView() {
  const { locale, ago } = useI18n()
  const say = settingsWords(locale)
  const { client } = useVitrine()
  const refreshAgents = useRefreshAgents()
  const { value, problem, again } = useLoaded(useCallback(() => listProviders(client), [client]))
  const [testing, setTesting] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<ProviderInfo | null>(null)
  const [failure, setFailure] = useState<Problem | null>(null)

  const test = async ({ providerId }: ProviderInfo) => {
    setTesting(providerId)
    const answer = await testProvider(client, { providerId })
    setTesting(null)
    setFailure(answer.ok ? null : answer.problem)
    await again()
    refreshAgents()
  }
  const remove = async ({ providerId }: ProviderInfo) => {
    const answer = await deleteProvider(client, providerId)
    setFailure(answer.ok ? null : answer.problem)
    await again()
    refreshAgents()
  }

  if (problem && !value) {
    return (
      <ProblemNote title={say('providersFailed')} problem={problem}>
        <Button onClick={again}>{say('testAgain')}</Button>
      </ProblemNote>
    )
  }
  if (!value || value.providers.length === 0) return null
  return (
    <section className="v-providers" aria-label={say('providers')}>
      <h2>{say('providers')}</h2>
      {failure && <ProblemNote title={say('failed')} problem={failure} />}
      <ul>
        {value.providers.map(provider => (
          <li key={provider.providerId}>
            <div className="v-provider-line">
              <span className="v-provider-name">{visible(provider.name)}</span>
              {provider.isLocal && <Badge tone="success">{say('local')}</Badge>}
              {provider.from === 'environment' && <Badge>{say('fromEnvironment')}</Badge>}
              {provider.key.state === 'lost' && <Badge tone="danger">{say('addKey')}</Badge>}
              <span className="v-provider-about">
                {provider.address ??
                  (provider.key.setAt !== undefined
                    ? say('keySetAt', { when: ago(provider.key.setAt, Date.now()) })
                    : provider.key.state === 'set'
                      ? say('keySet')
                      : '')}
              </span>
              <Button onClick={() => void test(provider)} disabled={testing !== null}>
                {say(provider.lastTest ? 'testAgain' : 'test')}
              </Button>
              {provider.from === 'settings' && (
                <Button look="quiet" onClick={() => setLeaving(provider)}>
                  {say('disconnect')}
                </Button>
              )}
            </div>
            <TestResult test={provider.lastTest ?? null} busy={testing === provider.providerId} />
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={say('deleteProvider', { name: visibleText(leaving.name) })}
          yes={say('disconnect')}
          danger
          onAnswer={yes => {
            setLeaving(null)
            if (yes) void remove(leaving)
          }}
        >
          <p>{say('deleteProviderHelp')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
