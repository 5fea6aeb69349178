import { Icon, type IconData } from './icon.tsx'
import {
  AudioLines,
  Blocks,
  Bot,
  ChartColumn,
  Compass,
  Feather,
  FlaskConical,
  Hammer,
  Rocket,
  Telescope,
  User,
} from './icons.ts'

const icons: readonly IconData[] = [
  Compass,
  Hammer,
  Telescope,
  ChartColumn,
  Feather,
  FlaskConical,
  AudioLines,
  Rocket,
  Bot,
  Blocks,
]
const HUES = 6

/** A number that is always the same for a name, and different for most others (FNV-1a). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

/** The tile by which people know an agent again: an icon in one of six hues, both chosen by its id. */
export function AgentFace({ agentId, size = 20 }: { agentId: string; size?: 16 | 20 | 28 | 40 }) {
  const hash = hashOf(agentId)
  return (
    <span className="v-face" data-hue={(hash % HUES) + 1} data-size={size} aria-hidden>
      <Icon of={icons[Math.floor(hash / HUES) % icons.length]!} />
    </span>
  )
}

/** A person, as an ink circle with initials, or without a name as a figure. */
export function PersonFace({ name }: { name: string }) {
  const initials = name
    .split(/\s+/)
    .filter(Boolean)
    .map(word => [...word][0]!)
  return (
    <span className="v-person" aria-hidden>
      {initials.length > 0 ? (
        (initials[0]! + (initials.length > 1 ? initials.at(-1)! : '')).toLocaleUpperCase()
      ) : (
        <Icon of={User} />
      )}
    </span>
  )
}
