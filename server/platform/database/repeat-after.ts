export function repeatAfter(pauseMs: number, look: () => Promise<void>): { stop: () => Promise<void> } {
  let isStopped = false
  let underWay = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = () => {
    timer = setTimeout(() => {
      underWay = look().then(() => {
        if (!isStopped) next()
      })
    }, pauseMs).unref()
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}
