import pLimit from 'p-limit'

/** Runs one `work` at a time for each key, in the order of the calls. `waiting` is the number of calls that wait for it. */
export function createKeyedMutex(): <T>(key: string, work: (waiting: number) => Promise<T>) => Promise<T> {
  const mutexes = new Map<string, { runExclusive: ReturnType<typeof pLimit>; users: number }>()

  return async (key, work) => {
    const mutex = mutexes.get(key) ?? { runExclusive: pLimit(1), users: 0 }
    mutexes.set(key, mutex)
    mutex.users++
    try {
      return await mutex.runExclusive(() => work(mutex.users - 1))
    } finally {
      mutex.users--
      if (mutex.users === 0) mutexes.delete(key)
    }
  }
}
