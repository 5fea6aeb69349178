import { UsageView } from '@vitrine/react'

/** What the runs of a person have used. */
export default function UsagePage() {
  return (
    <div className="w-page">
      <UsageView />
    </div>
  )
}
