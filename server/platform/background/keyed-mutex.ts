/**
 * Runs one `work` at a time for each key, in the order of the calls. `waiting` is the number of further calls for the
 * key when `work` starts. A call that need not wait starts its `work` synchronously.
 */
export function createKeyedMutex(): <T>(key: string, work: (waiting: number) => Promise<T>) => Promise<T> {
  const mutexes = new Map<string, { runExclusive: ReturnType<typeof createMutex>; users: number }>()

  return async (key, work) => {
    const mutex = mutexes.get(key) ?? { runExclusive: createMutex(), users: 0 }
    mutexes.set(key, mutex)
    mutex.users++
    return mutex.runExclusive(async () => {
      try {
        return await work(mutex.users - 1)
      } finally {
        mutex.users--
        if (mutex.users === 0) mutexes.delete(key)
      }
    })
  }
}

function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let isLocked = false

  return async (work) => {
    if (isLocked) await new Promise<void>((resolve) => waiting.push(resolve))
    isLocked = true
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else isLocked = false
    }
  }
}
