/** The mark of Vitrine: a glass case with its lamp and what it shows. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className="w-mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <rect x="3.4" y="2.6" width="17.2" height="15" rx="3.6" />
      <path className="w-mark-lamp" d="M8.8 2.6h6.4" />
      <circle cx="12" cy="13.3" r="3.3" />
      <path d="M4.6 21.4h14.8" />
    </svg>
  )
}
