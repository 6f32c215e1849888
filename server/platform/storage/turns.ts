/** Lets at most `limit` of the handed-in works run at once, in the order they came. */
export function createTurns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let running = 0

  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
