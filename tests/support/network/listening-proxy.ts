import { onTestFinished } from 'vitest'
import { startTcpProxy } from './tcp-proxy.ts'

/** A listening connection sends this application name when it opens. */
const listenerName = 'proofroom node'

export type ListeningProxy = Awaited<ReturnType<typeof startListeningProxy>>

/** A proxy to PostgreSQL that stalls or cuts only the connection on which a node listens for notifications. */
export async function startListeningProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  onTestFinished(proxy.close)
  url.port = String(proxy.port)
  return {
    /** The URL of the database through the proxy. */
    url: url.href,
    /** Stops passing bytes on but keeps the listening connections open. New listening connections stall too. */
    stall: () => proxy.stall(listenerName),
    /** Closes the listening connections, and each new one at once. */
    cut: () => proxy.cut(listenerName),
    open: proxy.open,
    /** Number of listening connections that were opened, including those that were closed at once. */
    attempts: () => proxy.opened(listenerName),
  }
}
