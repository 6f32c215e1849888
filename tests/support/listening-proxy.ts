import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a PostgreSQL server on which a test can hold back or cut what a node listens on, and nothing else. */
export type ListeningProxy = {
  /** The address of the database by this way. */
  url: string
  /** Nothing is passed on, and nobody is told; new connections are treated alike. */
  stall: () => void
  /** Connections end, and new ones are ended at once. */
  cut: () => void
  open: () => void
  /** How many connections a node has opened to listen on, those that were ended at once included. */
  attempts: () => number
}

/** By this it is told which connection is the one that listens: it names itself when it begins. */
const nameOfListeners = 'proofroom node'

export async function listeningProxyForTest(databaseUrl: string): Promise<ListeningProxy> {
  const target = new URL(databaseUrl)
  const all = new Set<Socket>()
  const listening = new Set<Socket>()
  let state: 'open' | 'stalled' | 'cut' = 'open'
  let attempts = 0

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const end = () => {
      for (const socket of [near, far]) {
        all.delete(socket)
        listening.delete(socket)
        socket.destroy()
      }
    }
    for (const socket of [near, far]) {
      all.add(socket)
      socket.on('error', end).on('close', end).setNoDelay()
    }
    far.on('data', (bytes) => void near.write(bytes))
    near.once('data', (opening) => {
      if (opening.includes(nameOfListeners)) {
        attempts++
        if (state === 'cut') return end()
        listening.add(near).add(far)
        if (state === 'stalled') far.pause()
      }
      far.write(opening)
      near.on('data', (bytes) => void far.write(bytes))
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
