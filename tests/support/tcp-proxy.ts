import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a server that a test can cut or stall. */
export type TcpProxy = {
  port: number
  open: () => void
  /** Closes connections, and new ones at once. With `words`, only those whose client sends them first. */
  cut: (words?: string) => void
  /** Passes nothing on but keeps the connections open. `words` as with `cut`. */
  stall: (words?: string) => void
  /** Closes a connection when its client sends these words; with `passedOn` after the server has received them. */
  cutAt: (words: string, options?: { passedOn: boolean }) => void
  /** Closes the next connection whose server has sent this many bytes. The last bytes are not passed on. */
  endAfter: (answerBytes: number) => void
  sentBytes: () => number
  connections: () => number
  close: () => Promise<void>
}

export async function startTcpProxy(target: { host?: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket; greeting: Buffer | null }>()
  let state: 'open' | 'cut' | 'stalled' = 'open'
  let affectedWords = ''
  let trap: { words: string; passedOn: boolean } | null = null
  let maxAnswerBytes = Number.POSITIVE_INFINITY
  let sentBytes = 0

  const server = createServer((near) => {
    if (state === 'cut' && affectedWords === '') return near.resetAndDestroy()
    const far = connect(target.port, target.host ?? '127.0.0.1')
    const pair = { near, far, greeting: null as Buffer | null }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end).setNoDelay()
    near.on('data', (bytes) => {
      sentBytes += bytes.length
      pair.greeting ??= bytes
      hinder()
      if (near.destroyed) return undefined
      const sprung = trap
      if (!sprung || !bytes.includes(sprung.words)) return void far.write(bytes)
      trap = null
      if (!sprung.passedOn) return end()
      far.write(bytes)
      // The response of the server is dropped.
      far.removeAllListeners('data').once('data', end)
      return undefined
    })
    let answerBytes = 0
    far.on('data', (bytes) => {
      answerBytes += bytes.length
      if (answerBytes < maxAnswerBytes) return void near.write(bytes)
      maxAnswerBytes = Number.POSITIVE_INFINITY
      return end()
    })
    hinder()
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function hinder(): void {
    if (state === 'open') return
    for (const { near, far, greeting } of pairs) {
      if (affectedWords !== '' && !greeting?.includes(affectedWords)) continue
      for (const socket of [near, far]) state === 'cut' ? socket.destroy() : socket.pause()
    }
  }
  const each = (act: (socket: Socket) => void) => {
    for (const { near, far } of pairs) for (const socket of [near, far]) act(socket)
  }
  return {
    port: (server.address() as { port: number }).port,
    open() {
      state = 'open'
      each((socket) => socket.resume())
    },
    cut(words = '') {
      state = 'cut'
      affectedWords = words
      hinder()
    },
    stall(words = '') {
      state = 'stalled'
      affectedWords = words
      hinder()
    },
    cutAt(words, { passedOn } = { passedOn: false }) {
      trap = { words, passedOn }
    },
    endAfter(answerBytes) {
      maxAnswerBytes = answerBytes
    },
    sentBytes: () => sentBytes,
    connections: () => pairs.size,
    async close() {
      each((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
