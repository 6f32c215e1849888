import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy to PostgreSQL that stalls or cuts only the connection on which a node listens for notifications. */
export type ListeningProxy = {
  /** The URL of the database through the proxy. */
  url: string
  /** Stops passing bytes on but keeps the listening connections open. New listening connections stall too. */
  stall: () => void
  /** Closes the listening connections, and each new one at once. */
  cut: () => void
  open: () => void
  /** Number of listening connections that were opened, including those that were closed at once. */
  attempts: () => number
}

/** A listening connection sends this application name when it opens. */
const listenerName = 'proofroom node'

export async function startListeningProxy(databaseUrl: string): Promise<ListeningProxy> {
  const target = new URL(databaseUrl)
  const all = new Set<Socket>()
  const listening = new Set<Socket>()
  let state: 'open' | 'stalled' | 'cut' = 'open'
  let attempts = 0

  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(target.port), target.hostname)
    const end = () => {
      for (const socket of [clientSocket, serverSocket]) {
        all.delete(socket)
        listening.delete(socket)
        socket.destroy()
      }
    }
    for (const socket of [clientSocket, serverSocket]) {
      all.add(socket)
      socket.on('error', end).on('close', end).setNoDelay()
    }
    serverSocket.on('data', (bytes) => void clientSocket.write(bytes))
    clientSocket.once('data', (opening) => {
      if (opening.includes(listenerName)) {
        attempts++
        if (state === 'cut') return end()
        listening.add(clientSocket).add(serverSocket)
        if (state === 'stalled') serverSocket.pause()
      }
      serverSocket.write(opening)
      clientSocket.on('data', (bytes) => void serverSocket.write(bytes))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of all) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(databaseUrl)
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    stall() {
      state = 'stalled'
      for (const socket of listening) socket.pause()
    },
    cut() {
      state = 'cut'
      for (const socket of listening) socket.destroy()
    },
    open() {
      state = 'open'
      for (const socket of listening) socket.resume()
    },
    attempts: () => attempts,
  }
}
