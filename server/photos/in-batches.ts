/** What became of many ids: those an operation was done to, and those that are none of its photos. */
export type BulkOutcome = { done: number[]; ignored: number[] }

/**
 * Does an operation to so many ids at a time, each once, so that between two transactions others get their turn with the
 * writer. `operation` answers which of its ids it has found.
 */
export async function inBatches(
  ids: readonly number[],
  batchSize: number,
  operation: (batch: number[]) => Promise<number[]>,
): Promise<BulkOutcome> {
  const wanted = [...new Set(ids)]
  const done = new Set<number>()
  for (let start = 0; start < wanted.length; start += batchSize) {
    for (const id of await operation(wanted.slice(start, start + batchSize))) done.add(id)
  }
  return { done: [...done], ignored: wanted.filter((id) => !done.has(id)) }
}
