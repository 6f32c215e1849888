/** What became of many ids: those a deed was done to, and those that are none of its photos. */
export type BulkOutcome = { done: number[]; ignored: number[] }

/**
 * Does a deed to so many ids at a time, each once, so that between two transactions others get their turn with the
 * writer. `deed` answers which of its ids it has found.
 */
export async function inBatches(
  ids: readonly number[],
  batchSize: number,
  deed: (batch: number[]) => Promise<number[]>,
): Promise<BulkOutcome> {
  const wanted = [...new Set(ids)]
  const done = new Set<number>()
  for (let start = 0; start < wanted.length; start += batchSize) {
    for (const id of await deed(wanted.slice(start, start + batchSize))) done.add(id)
  }
  return { done: [...done], ignored: wanted.filter((id) => !done.has(id)) }
}
