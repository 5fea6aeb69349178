/** Keys to press together, each as a cap. */
export function Keys({ of }: { of: readonly string[] }) {
  return (
    <span className="v-key-caps">
      {of.map((key, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may have to be pressed twice.
        <kbd key={at}>{key}</kbd>
      ))}
    </span>
  )
}
