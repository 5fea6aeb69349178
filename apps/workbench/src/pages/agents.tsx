import { AgentsView } from '@vitrine/react/settings'
import { navigate } from '../router.ts'
import { MODELS } from '../routes.ts'

/** All agents, and the ways to connect another one. */
export default function AgentsPage() {
  return (
    <div className="v-page">
      <AgentsView onBegin={agentId => navigate('/', { agentId })} onConnect={() => navigate(MODELS)} />
    </div>
  )
}
