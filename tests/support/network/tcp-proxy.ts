import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy whose connections a test can cut or stall. */
export type TcpProxy = {
  port: number
  open: () => void
  /** Closes open and new connections. With `words`, only those whose first bytes from the client contain `words`. */
  cut: (words?: string) => void
  /** Stops passing bytes on but keeps the connections open. `words` has the same meaning as in `cut`. */
  stall: (words?: string) => void
  /**
   * Closes the next connection whose client sends `words`. With `passedOn`, the server receives them, but its response
   * is dropped.
   */
  disconnectOnText: (words: string, options?: { passedOn: boolean }) => void
  /** Closes the next connection whose server has sent this many bytes. The last bytes are not passed on. */
  closeAfterBytes: (answerBytes: number) => void
  sentBytes: () => number
  connections: () => number
  /** Returns the number of connections so far whose first bytes from the client contain `words`. */
  opened: (words: string) => number
  close: () => Promise<void>
}

export async function startTcpProxy(target: { host?: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ clientSocket: Socket; serverSocket: Socket; firstBytes: Buffer | null }>()
  let state: 'open' | 'cut' | 'stalled' = 'open'
  let affectedTexts = ''
  let trap: { words: string; passedOn: boolean } | null = null
  let maxAnswerBytes = Number.POSITIVE_INFINITY
  let sentBytes = 0
  const openings: Buffer[] = []

  const server = createServer((clientSocket) => {
    if (state === 'cut' && affectedTexts === '') return clientSocket.resetAndDestroy()
    const serverSocket = connect(target.port, target.host ?? '127.0.0.1')
    const pair = { clientSocket, serverSocket, firstBytes: null as Buffer | null }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      clientSocket.destroy()
      serverSocket.destroy()
    }
    for (const socket of [clientSocket, serverSocket]) socket.on('error', end).on('close', end).setNoDelay()
    clientSocket.on('data', (bytes) => {
      sentBytes += bytes.length
      if (pair.firstBytes === null) openings.push(bytes)
      pair.firstBytes ??= bytes
      applyState()
      if (clientSocket.destroyed) return undefined
      const triggered = trap
      if (!triggered || !bytes.includes(triggered.words)) return void serverSocket.write(bytes)
      trap = null
      if (!triggered.passedOn) return end()
      serverSocket.write(bytes)
      // Closes the connection at the first byte of the response, which is dropped.
      serverSocket.removeAllListeners('data').once('data', end)
      return undefined
    })
    let answerBytes = 0
    serverSocket.on('data', (bytes) => {
      answerBytes += bytes.length
      if (answerBytes < maxAnswerBytes) return void clientSocket.write(bytes)
      maxAnswerBytes = Number.POSITIVE_INFINITY
      return end()
    })
    applyState()
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function applyState(): void {
    if (state === 'open') return
    for (const { clientSocket, serverSocket, firstBytes } of pairs) {
      if (affectedTexts !== '' && !firstBytes?.includes(affectedTexts)) continue
      for (const socket of [clientSocket, serverSocket]) state === 'cut' ? socket.destroy() : socket.pause()
    }
  }
  const each = (act: (socket: Socket) => void) => {
    for (const { clientSocket, serverSocket } of pairs) for (const socket of [clientSocket, serverSocket]) act(socket)
  }
  return {
    port: (server.address() as { port: number }).port,
    open() {
      state = 'open'
      each((socket) => socket.resume())
    },
    cut(words = '') {
      state = 'cut'
      affectedTexts = words
      applyState()
    },
    stall(words = '') {
      state = 'stalled'
      affectedTexts = words
      applyState()
    },
    disconnectOnText(words, { passedOn } = { passedOn: false }) {
      trap = { words, passedOn }
    },
    closeAfterBytes(answerBytes) {
      maxAnswerBytes = answerBytes
    },
    sentBytes: () => sentBytes,
    connections: () => pairs.size,
    opened: (words) => openings.filter((bytes) => bytes.includes(words)).length,
    async close() {
      each((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
