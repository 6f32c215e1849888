/**
 * Runs `work` for each item, at most `limit` at once, and returns the results in item order. After a failure it starts
 * nothing more and throws once the running work has ended.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const remaining = items.entries()
  let isFailing = false

  async function run(): Promise<void> {
    for (const [index, item] of remaining) {
      if (isFailing) return
      try {
        results[index] = await work(item)
      } catch (error) {
        isFailing = true
        throw error
      }
    }
  }

  const outcomes = await Promise.allSettled(Array.from({ length: limit }, run))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return results
}
