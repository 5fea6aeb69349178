import { Button, copyText, useI18n } from '@vitrine/react'
import { useEffect, useState } from 'react'

/** Copies a link that opens the text of an editor elsewhere. The address bar has it too, where there is no clipboard. */
export function ShareButton({ link }: { link: () => Promise<string> }) {
  const { t } = useI18n()
  const [said, say] = useState('')
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(say, 1600, '')
    return () => clearTimeout(timer)
  }, [said])
  const share = async () => {
    const address = await link()
    history.replaceState(history.state, '', address)
    say((await copyText(address)) ? t('copy.done') : t('playground.linkShown'))
  }
  return (
    <>
      <Button look="quiet" onClick={share}>
        {said || t('playground.link')}
      </Button>
      <span className="v-unseen" role="status">
        {said}
      </span>
    </>
  )
}
