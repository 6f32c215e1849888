import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a TCP port for a program that must know its port before it listens, or keep it after a restart. By default,
 * Linux does not assign ports of this range. Until this process ends, a UDP socket keeps other calls from returning the
 * port.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 9_000)
    if ((await reserve(port)) && (await isUnused(port))) return port
  }
}

async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true })
  socket.unref()
  return once(socket, 'listening').then(
    () => true,
    () => false,
  )
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}
