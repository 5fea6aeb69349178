const circle = 'M22 12a10 10 0 1 1-20 0 10 10 0 1 1 20 0z'

/** Pictures of Lucide (ISC licence), each as one path. */
export const shapes = {
  check: 'M20 6 9 17l-5-5',
  'circle-alert': `${circle}M12 8L12 12M12 16L12.01 16`,
  'circle-check': `${circle}M16 9l-5.5 5.5L8 12`,
  clock: `${circle}M12 6v6l4 2`,
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
  info: `${circle}M12 16v-4M12 8h.01`,
  'triangle-alert': 'M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
}

/**
 * An icon that a page draws by the hundred. Lucide's own component gives each of them a dozen attributes, which took a
 * third of the time of a large card; what all icons share is in the style sheet.
 */
export function Shape({ name, className }: { name: keyof typeof shapes; className?: string }) {
  return (
    <svg className={className ? `v-shape ${className}` : 'v-shape'} viewBox="0 0 24 24" aria-hidden>
      <path d={shapes[name]} />
    </svg>
  )
}
