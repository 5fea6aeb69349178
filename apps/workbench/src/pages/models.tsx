import { useRefreshAgents } from '@vitrine/react'
import { ConnectModel, ProvidersView } from '@vitrine/react/settings'
import { navigate } from '../router.ts'

/** What agents think with: a model to connect, and those that are connected. */
export default function ModelsPage() {
  const refresh = useRefreshAgents()
  const done = (agentId: string) => {
    refresh()
    navigate('/', { agentId })
  }
  return (
    <div className="v-page">
      <ConnectModel onDone={done} onSkip={() => navigate('/')} />
      <ProvidersView />
    </div>
  )
}
