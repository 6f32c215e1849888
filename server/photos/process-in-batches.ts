export type BulkOutcome = { done: number[]; ignored: number[] }

/** Passes each id once to `operation`, which returns the ids that it found. All other ids are `ignored`. */
export async function processInBatches(
  ids: readonly number[],
  batchSize: number,
  operation: (batch: number[]) => Promise<number[]>,
): Promise<BulkOutcome> {
  const uniqueIds = [...new Set(ids)]
  const done = new Set<number>()
  for (let start = 0; start < uniqueIds.length; start += batchSize) {
    for (const id of await operation(uniqueIds.slice(start, start + batchSize))) done.add(id)
  }
  return { done: [...done], ignored: uniqueIds.filter((id) => !done.has(id)) }
}
