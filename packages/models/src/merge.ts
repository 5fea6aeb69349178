/** What several generators yield, in the order in which it comes. The first error ends all. */
export async function* merge<T>(generators: readonly AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  const next = new Map(generators.map(generator => [generator, step(generator)]))
  try {
    while (next.size > 0) {
      const { generator, result } = await Promise.race(next.values())
      if (result.done) next.delete(generator)
      else {
        yield result.value
        next.set(generator, step(generator))
      }
    }
  } finally {
    // Those that still work are told to end, and nobody waits for them.
    for (const [generator, pending] of next) {
      pending.catch(() => {})
      generator.return().catch(() => {})
    }
  }
}

async function step<T>(generator: AsyncGenerator<T, void>) {
  return { generator, result: await generator.next() }
}
