import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../platform/errors/app-error.ts'
import { type LiveSource, LiveStream } from './live-stream-reply.ts'
import type { LiveEvent } from './read-live-events.ts'

const eventOf = (id: number, text = ''): LiveEvent => ({
  id,
  type: 'feedback',
  data: { comment_text: text } as LiveEvent['data'],
})

const settings = { heartbeatMs: 60, stallTimeoutMs: 300, batchDelayMs: 5 }

type Source = Pick<LiveSource, 'check' | 'canMissEvents'> & {
  read: (afterId: number, limit: number, unsentBytes: number) => Promise<LiveEvent[]>
}

async function streamFor({ read, ...source }: Source) {
  const app = fastify()
  const streams: LiveStream[] = []
  const { promise: ended, resolve: finish } = Promise.withResolvers<void>()
  app.get('/', (_request, reply) => {
    reply.hijack()
    const ofStream = (afterId: number, limit: number) => read(afterId, limit, reply.raw.writableLength)
    const stream = new LiveStream(reply, { read: ofStream, ...source }, settings)
    streams.push(stream)
    stream.run(0, '').finally(finish)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => text).toContain('retry: ')
  return { stream: streams[0] as LiveStream, socket, ended, text: () => text }
}

const nothing: Source = { read: async () => [], check: async () => undefined }

test('live stream reads only after a notification, sends heartbeats otherwise, and ends when the client disconnects', async () => {
  let reads = 0
  const read = async () => {
    reads++
    return []
  }
  const { stream, text, socket, ended } = await streamFor({ ...nothing, read })
  await expect.poll(() => text().match(/: still here/g)?.length).toBeGreaterThan(3)
  expect(reads).toBe(1)
  stream.wake(false)
  await expect.poll(() => text().match(/: still here/g)?.length).toBeGreaterThan(5)
  expect(reads).toBe(1)
  stream.wake(true)
  await expect.poll(() => reads).toBe(2)
  socket.destroy()
  await ended
})

test('live stream reads with each heartbeat if notifications can get lost', async () => {
  const happened: LiveEvent[] = []
  const { text } = await streamFor({ ...nothing, read: async () => happened.splice(0), canMissEvents: true })
  await expect.poll(text).toContain(': still here')
  happened.push(eventOf(1, 'lost on its way'))
  await expect.poll(text).toContain('lost on its way')
})

test('live stream checks access before each heartbeat, and ends when access is lost', async () => {
  let isAllowed = true
  const check = async () => {
    if (!isAllowed) throw new AppError('TOKEN_REVOKED')
  }
  const { text, ended } = await streamFor({ ...nothing, check })
  await expect.poll(text).toContain(': still here')
  isAllowed = false
  await ended
  expect(text()).not.toContain('TOKEN_REVOKED')
})

test('live stream checks access after reading, and drops events read without access', async () => {
  let isAllowed = true
  const { stream, text, ended } = await streamFor({
    read: async (afterId) => {
      if (afterId === 0) return [eventOf(1, 'first')]
      isAllowed = false
      return [eventOf(2, 'secret')]
    },
    check: async () => {
      if (!isAllowed) throw new AppError('FORBIDDEN')
    },
  })
  await expect.poll(text).toContain('first')
  stream.wake(true)
  await ended
  expect(text()).not.toContain('secret')
})

test('live stream misses no events that occur while it reads or checks', async () => {
  const publishedEvents = [eventOf(1)]
  const streams: LiveStream[] = []
  const more = () => {
    if (publishedEvents.length < 20) publishedEvents.push(eventOf(publishedEvents.length + 1))
    streams[0]?.wake(true)
  }
  const { stream, text } = await streamFor({
    read: async (afterId) => {
      const found = publishedEvents.filter(({ id }) => id > afterId)
      more()
      return found
    },
    check: async () => more(),
  })
  streams.push(stream)
  stream.wake(true)
  await expect
    .poll(() => [...text().matchAll(/id: (\d+)/g)].map(([, id]) => Number(id)))
    .toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('live stream reads no faster than a slow client, and disconnects a stalled one', async () => {
  const large = 'x'.repeat(1000)
  const unsent: number[] = []
  const { socket, ended } = await streamFor({
    read: async (afterId, limit, unsentBytes) => {
      unsent.push(unsentBytes)
      return Array.from({ length: limit }, (_, index) => eventOf(afterId + index + 1, large))
    },
    check: async () => undefined,
  })
  socket.pause()
  await ended
  expect(unsent.length).toBeGreaterThan(2)
  expect(Math.max(...unsent)).toBeLessThan(1000)
  socket.resume()
  await once(socket, 'close')
})
