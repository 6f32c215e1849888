/** Runs at most `limit` functions at once, in the order of the calls. */
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

/** Runs one function at a time per key. It passes the number of waiting calls for the key to the function. */
export function createKeyedTurns(): <T>(key: string, work: (waiting: number) => Promise<T>) => Promise<T> {
  const queues = new Map<string, { inTurn: ReturnType<typeof createTurns>; users: number }>()

  return async (key, work) => {
    const queue = queues.get(key) ?? { inTurn: createTurns(1), users: 0 }
    queues.set(key, queue)
    queue.users++
    try {
      return await queue.inTurn(() => work(queue.users - 1))
    } finally {
      queue.users--
      if (queue.users === 0) queues.delete(key)
    }
  }
}
