import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { expect } from 'vitest'

const started = 'http.server.request.start'

/**
 * `begun` resolves when the headers of the next request for this path have arrived. `isRead` resolves when the service
 * begins to read the body of that request.
 */
export function watchRequest(path: string) {
  const [begun, isRead] = [Promise.withResolvers<IncomingMessage>(), Promise.withResolvers<void>()]
  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.url !== path) return
    unsubscribe(started, onStart)
    begun.resolve(request)
    request.on('newListener', (name) => {
      if (name === 'data' || name === 'readable') isRead.resolve()
    })
  }
  subscribe(started, onStart)
  return { begun: begun.promise, isRead: isRead.promise }
}

/** Waits until the service has read this many bytes, headers included, from the connection of a request. */
export async function waitUntilRead(begun: Promise<IncomingMessage>, bytes: number): Promise<void> {
  const { socket } = await begun
  await expect.poll(() => socket.bytesRead, { interval: 5 }).toBeGreaterThanOrEqual(bytes)
}
