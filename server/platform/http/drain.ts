import { AppError } from '../errors/app-error.ts'
import type { Http } from './create-http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isOpenWhileDraining?: boolean
  }
}

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

    install(app: Http): void {
      app.addHook('onRequest', async (request, reply) => {
        running++
        // 'close' is emitted after every response, and when a client disconnects.
        reply.raw.once('close', ended)
        if (isDraining && !request.routeOptions.config.isOpenWhileDraining)
          throw new AppError('UNAVAILABLE', {
            text: 'The service is stopping. Try again in a moment.',
            retryAfterSeconds: 5,
          })
      })
    },

    /**
     * Rejects new requests, except to routes with `isOpenWhileDraining`. Resolves when no request runs, or after
     * `graceSeconds`.
     */
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
