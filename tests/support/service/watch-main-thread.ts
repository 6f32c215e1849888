import { setImmediate as nextTick } from 'node:timers/promises'

/** Returns a function that ends the watch and returns the longest processor time of one callback, in milliseconds. */
export function watchMainThread() {
  let longestMs = 0
  let isRunning = true
  const watch = async () => {
    while (isRunning) {
      const before = process.threadCpuUsage()
      await nextTick()
      const { user, system } = process.threadCpuUsage(before)
      longestMs = Math.max(longestMs, (user + system) / 1000)
    }
  }
  const watching = watch()
  return async () => {
    isRunning = false
    await watching
    return longestMs
  }
}
