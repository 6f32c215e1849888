type Turns = { atOnce: number; onDone?: (done: number) => void }

/** Runs `action` for each item. Returns the failed items and the first error; never throws. */
export async function inTurns<One>(
  all: readonly One[],
  action: (one: One) => Promise<unknown>,
  { atOnce, onDone }: Turns,
): Promise<{ failed: One[]; error: unknown }> {
  const failed: One[] = []
  let error: unknown = null
  let next = 0
  let done = 0
  const work = async () => {
    while (next < all.length) {
      const one = all[next++] as One
      try {
        await action(one)
      } catch (reason) {
        error ??= reason
        failed.push(one)
      }
      onDone?.(++done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work))
  return { failed, error }
}

export const inPieces = <One>(all: readonly One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
