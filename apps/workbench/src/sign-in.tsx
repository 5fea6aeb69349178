import type { VitrineClient } from '@vitrine/client'
import { Button, Disclosure, Field, icons, TextInput, useI18n } from '@vitrine/react'
import { useRef, useState } from 'react'
import { base } from './base.ts'
import { Mark } from './mark.tsx'

/** The server takes the token of a link that it knows out of the address, so one that is still there was refused. */
const cameByOldLink = takeToken()

function takeToken(): boolean {
  const address = new URL(location.href)
  if (!address.searchParams.has('token')) return false
  address.searchParams.delete('token')
  history.replaceState(history.state, '', address)
  return true
}

/** People paste the token or the whole address that has it. */
const tokenIn = (text: string): string => /[?&]token=([^&#\s]+)/.exec(text)?.[1] ?? text.trim()

type Answer = 'signed-in' | 'refused' | 'unreachable'

/** Exchanges the token for the cookie, as the printed address does. Only a token that the server knows redirects. */
async function signIn(token: string): Promise<Answer> {
  try {
    const answer = await fetch(`${base}?token=${encodeURIComponent(token)}`, { redirect: 'manual', cache: 'no-store' })
    return answer.type === 'opaqueredirect' ? 'signed-in' : 'refused'
  } catch {
    return 'unreachable'
  }
}

/** What somebody sees whom the server does not know: where the token is, and a field for it. */
export function SignIn({ client }: { client: VitrineClient }) {
  const { t } = useI18n()
  const [text, setText] = useState('')
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<'oldLink' | 'empty' | 'refused' | 'unreachable' | null>(
    cameByOldLink ? 'oldLink' : null,
  )
  const input = useRef<HTMLInputElement>(null)
  const submit = async () => {
    if (sending) return
    const token = tokenIn(text)
    setSending(true)
    const answer = token ? await signIn(token) : 'empty'
    setSending(false)
    if (answer === 'signed-in') return client.reconnect()
    setProblem(answer)
    input.current?.focus()
  }
  return (
    <main className="w-sign-in">
      <form
        className="w-case w-sign-in-case v-lamp"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <Mark size={44} />
        <h1>{t('signIn.title')}</h1>
        <p className="w-sign-in-host">{t('signIn.on', { host: location.host })}</p>
        <Field label={t('signIn.token')} help={t('signIn.help')} error={problem && t(`signIn.${problem}`)}>
          {control => (
            <TextInput
              {...control}
              icon={icons.KeyRound}
              ref={input}
              type="password"
              autoComplete="current-password"
              autoFocus
              value={text}
              onChange={event => {
                setText(event.target.value)
                setProblem(null)
              }}
            />
          )}
        </Field>
        <Button type="submit" look="primary" aria-busy={sending}>
          {t('signIn.button')}
        </Button>
        <Disclosure className="w-sign-in-lost" summary={t('signIn.lost')}>
          {() => <p>{t('signIn.lostHelp')}</p>}
        </Disclosure>
      </form>
    </main>
  )
}
