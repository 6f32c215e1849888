import { once } from 'node:events'
import { createServer } from 'node:net'

/** Listens for an instant, before anything is stored. Throws the error of `listen`, such as EADDRINUSE. */
export async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer().listen({ port, host, exclusive: true })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
