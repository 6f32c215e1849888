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

/** One at a time for each key; different keys do not wait for each other. A work is told how many wait behind it. */
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
