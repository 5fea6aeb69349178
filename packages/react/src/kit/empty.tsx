import { Icon, type IconData } from './icon.tsx'

/** A place where nothing is yet: what will be there, and what to do first. */
export function Empty({ icon, title, text }: { icon: IconData; title: string; text: string }) {
  return (
    <div className="v-empty">
      <span className="v-empty-icon">
        <Icon of={icon} />
      </span>
      <p className="v-empty-title">{title}</p>
      <p>{text}</p>
    </div>
  )
}
