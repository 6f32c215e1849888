export function repeatAfter(pauseMs: number, work: () => Promise<void>): { stop: () => Promise<void> } {
  let isStopped = false
  let currentRun = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    timer = setTimeout(() => {
      currentRun = work().then(() => {
        if (!isStopped) next()
      })
    }, pauseMs).unref()
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await currentRun
    },
  }
}
