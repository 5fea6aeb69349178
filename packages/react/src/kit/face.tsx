import { useAgent } from '../agents.tsx'
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

/** The icons that an agent can have, by the names that its settings have for them. */
export const FACE_ICONS = {
  compass: Compass,
  hammer: Hammer,
  telescope: Telescope,
  chart: ChartColumn,
  feather: Feather,
  flask: FlaskConical,
  voice: AudioLines,
  rocket: Rocket,
  bot: Bot,
  blocks: Blocks,
} as const

/** The name of an icon of an agent. */
export type FaceIcon = keyof typeof FACE_ICONS

/** The colours that an agent can have, by the names that its settings have for them. */
export const FACE_HUES = ['1', '2', '3', '4', '5', '6']

const icons = Object.values<IconData>(FACE_ICONS)

/** A number that is always the same for a name, and different for most others (FNV-1a). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

type FaceSize = 16 | 20 | 28 | 40

/** An icon in a colour. What is not known is drawn as the first one. */
export function drawnFace({ icon, colour }: { icon: string; colour: string }, size: FaceSize) {
  const known = Object.hasOwn(FACE_ICONS, icon) ? FACE_ICONS[icon as FaceIcon] : icons[0]!
  return (
    <span className="v-face" data-hue={FACE_HUES.includes(colour) ? colour : FACE_HUES[0]} data-size={size} aria-hidden>
      <Icon of={known} />
    </span>
  )
}

/** The tile by which people know an agent again: what its maker chose, or an icon and a colour by its id. */
export function AgentFace({ agentId, size = 20 }: { agentId: string; size?: FaceSize }) {
  const avatar = useAgent(agentId)?.avatar
  if (avatar) return drawnFace(avatar, size)
  const hash = hashOf(agentId)
  const hues = FACE_HUES.length
  const names = Object.keys(FACE_ICONS)
  return drawnFace({ icon: names[Math.floor(hash / hues) % names.length]!, colour: FACE_HUES[hash % hues]! }, size)
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
