import type { ProviderTest } from '@vitrine/protocol'
import { useEffect, useState } from 'react'
import { useI18n } from '../i18n/i18n.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Disclosure } from '../kit/disclosure.tsx'
import { Icon } from '../kit/icon.tsx'
import { CircleAlert, CircleCheck } from '../kit/icons.ts'
import { visible } from '../visible.tsx'
import { settingsWords } from './words.ts'

/** Milliseconds after which a test that still runs says that it does. */
const SLOW = 3_000

/** What came of a test: whether it works, and else what is wrong and what to do about it. */
export function TestResult({ test, busy }: { test: ProviderTest | null; busy: boolean }) {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  return (
    <div className="v-test" aria-live="polite" data-ok={busy ? undefined : test?.ok} hidden={!busy && !test}>
      {busy ? (
        <Testing />
      ) : (
        test && (
          <>
            <Icon of={test.ok ? CircleCheck : CircleAlert} />
            <div>
              <p>
                <strong>{say(test.ok ? 'works' : 'wrong')}</strong> {visible(test.message)}
              </p>
              {test.next && <p>{visible(test.next)}</p>}
              {test.command && (
                <p className="v-test-command">
                  {say('command')} <code>{test.command}</code>
                  <CopyButton text={() => test.command!} label={say('copyCommand')} />
                </p>
              )}
              {(test.request || test.response) && !test.ok && (
                <Disclosure summary={say('testSent')}>
                  {() => <pre className="v-test-sent">{visible([test.request, test.response].join('\n'))}</pre>}
                </Disclosure>
              )}
            </div>
          </>
        )
      )}
    </div>
  )
}

function Testing() {
  const { locale } = useI18n()
  const say = settingsWords(locale)
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setSlow, SLOW, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p>
      {say('testing')} {slow && say('testSlow')}
    </p>
  )
}
