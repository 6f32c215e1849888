type ConcurrencyOptions = { concurrency: number; onDone?: (done: number) => void }

/** Runs `action` for each item. Errors are returned, not thrown: the failed items and the first error. */
export async function forEachConcurrent<Item>(
  all: readonly Item[],
  action: (item: Item) => Promise<unknown>,
  { concurrency, onDone }: ConcurrencyOptions,
): Promise<{ failed: Item[]; error: unknown }> {
  const failed: Item[] = []
  let error: unknown = null
  let next = 0
  let done = 0
  const runNext = async () => {
    while (next < all.length) {
      const item = all[next++] as Item
      try {
        await action(item)
      } catch (reason) {
        error ??= reason
        failed.push(item)
      }
      onDone?.(++done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, all.length) }, runNext))
  return { failed, error }
}

export const splitIntoChunks = <Item>(all: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
