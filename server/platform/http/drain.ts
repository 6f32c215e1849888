import { AppError } from '../app-error.ts'
import type { Http } from './create-http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Is answered also while the service is shutting down. */
    isOpenWhileDraining?: boolean
  }
}

/** Counts running requests, and refuses new ones once the service is shutting down. */
export function createDrain() {
  let running = 0
  let isDraining = false
  let allDone: (() => void) | null = null

  const ended = () => {
    running--
    if (running === 0) allDone?.()
  }

  return {
    isDraining: () => isDraining,

    /** Watches all routes of this server. */
    install(app: Http): void {
      app.addHook('onRequest', async (request, reply) => {
        running++
        // 'close' comes after every answer and also when the client went away.
        reply.raw.once('close', ended)
        if (isDraining && !request.routeOptions.config.isOpenWhileDraining)
          throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 })
      })
    },

    /** Refuses from now on; resolves when nothing runs any more, or after the grace. */
    async drain(graceSeconds: number): Promise<void> {
      isDraining = true
      if (running === 0) return
      await new Promise<void>((resolve) => {
        allDone = resolve
        setTimeout(resolve, graceSeconds * 1000).unref()
      })
    },
  }
}
