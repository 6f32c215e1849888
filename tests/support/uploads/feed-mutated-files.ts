import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createEvent } from '../fixtures/events.ts'
import { animatedGif } from '../media/pictures.ts'
import { createLocatedPicture } from '../media/pictures-with-location.ts'
import { allowVideos, clip, sendVideo } from '../media/videos.ts'
import type { TestService } from '../service/test-service.ts'

const maxGrowthBytes = 200e6

async function loadSeedFiles(): Promise<Array<[name: string, bytes: Buffer]>> {
  const pictures = (['jpeg', 'png', 'webp', 'tiff', 'avif'] as const).map(
    async (format): Promise<[string, Buffer]> => [`a.${format}`, await createLocatedPicture(format)],
  )
  const videos = (['a.mp4', 'a.mov', 'a.webm', 'a.avi'] as const).map(
    async (name): Promise<[string, Buffer]> => [name, await clip(name)],
  )
  return Promise.all([...pictures, animatedGif().then((bytes): [string, Buffer] => ['a.gif', bytes]), ...videos])
}

/**
 * Uploads a file of each format, which the service must accept, and `count` damaged versions of it. Expects that the
 * service answers all of them and `/health`, and that the memory does not grow. `residentBytes` returns the memory to
 * watch, by default that of this process; null for no watch.
 */
export async function feedMutatedFiles(
  service: Pick<TestService, 'admin' | 'api' | 'anonymous'>,
  count: number,
  residentBytes: (() => number) | null = () => process.memoryUsage.rss(),
): Promise<void> {
  await allowVideos(service, 'jpg,png,webp,gif,tiff,avif,mp4,m4v,mov,webm,avi')
  const event = await createEvent(service.api)
  const files = await loadSeedFiles()
  const startBytes = residentBytes?.() ?? 0
  const health = watchHealth(service)
  try {
    await feedAll(service, event.id, files, count)
  } finally {
    expect(await health()).toEqual([])
  }
  expect((residentBytes?.() ?? 0) - startBytes).toBeLessThan(maxGrowthBytes)
}

async function feedAll(
  service: Pick<TestService, 'admin' | 'api'>,
  eventId: number,
  files: Array<[name: string, bytes: Buffer]>,
  count: number,
): Promise<void> {
  for (const [seed, [name, bytes]] of files.entries()) {
    const mutated = mutate(bytes, count, seed + 1)
    const isVideo = /\.(mp4|mov|webm|avi)$/.test(name)
    const send = (file: Buffer<ArrayBuffer>) => (isVideo ? sendClip : sendPicture)(service, eventId, file, name)
    expect(await send(Buffer.from(bytes)), name).toBe(isVideo ? 200 : 201)
    const statuses = new Set<number>()
    const sendAll = async () => {
      for (const file of mutated) statuses.add(await send(file))
    }
    await Promise.all([sendAll(), sendAll(), sendAll(), sendAll()])
    expect(
      [...statuses].filter((status) => ![200, 201, 207, 400, 415, 422].includes(status)),
      name,
    ).toEqual([])
  }
}

async function sendPicture(
  { api }: Pick<TestService, 'api'>,
  eventId: number,
  file: Buffer<ArrayBuffer>,
  name: string,
): Promise<number> {
  const form = new FormData()
  form.append('photo', new Blob([file], { type: 'image/jpeg' }), name)
  return (await api.call('POST', `/api/v1/events/${eventId}/photos`, { body: form })).status
}

const sendClip = async (
  { admin }: Pick<TestService, 'admin'>,
  eventId: number,
  file: Buffer<ArrayBuffer>,
  name: string,
) => (await sendVideo(admin, eventId, file, { name })).status

/** Asks `/health` ten times a second. Returns the answers that were not 200. */
function watchHealth({ anonymous }: Pick<TestService, 'anonymous'>) {
  const failures: number[] = []
  let isRunning = true
  const asking = (async () => {
    while (isRunning) {
      const { status } = await anonymous.get('/health')
      if (status !== 200) failures.push(status)
      await sleep(100)
    }
  })()
  return async () => {
    isRunning = false
    await asking
    return failures
  }
}

/** Small and fast; the same seed gives the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const extremes = [0x00, 0x01, 0x7f, 0x80, 0xff]

/** Yields `count` damaged versions: bytes and lengths are replaced, parts are repeated or left out, the end is cut. */
function* mutate(file: Buffer, count: number, seed: number): Generator<Buffer<ArrayBuffer>, void> {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const mutations: Array<(bytes: Buffer) => Buffer> = [
    (bytes) => {
      for (let times = 1 + below(20); times > 0; times--) bytes[below(bytes.length)] = below(256)
      return bytes
    },
    (bytes) => {
      const at = below(Math.max(1, bytes.length - 8))
      bytes.fill(extremes[below(extremes.length)] ?? 0, at, at + 1 + below(8))
      return bytes
    },
    (bytes) => bytes.subarray(0, 1 + below(bytes.length)),
    (bytes) => {
      const [at, length] = [below(bytes.length), 1 + below(2000)]
      const part = bytes.subarray(at, at + length)
      return Buffer.concat([bytes.subarray(0, at), ...Array(1 + below(20)).fill(part), bytes.subarray(at)])
    },
    (bytes) => {
      const at = below(bytes.length)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(200))])
    },
  ]
  for (let made = 0; made < count; made++) {
    // Headers are at the start, so most mutations hit the first kilobytes.
    const headBytes = Math.min(file.length, 4096)
    const isHead = random() < 0.7
    const [head, rest] = isHead ? [file.subarray(0, headBytes), file.subarray(headBytes)] : [file, Buffer.alloc(0)]
    const mutation = mutations[below(mutations.length)] ?? ((bytes: Buffer) => bytes)
    yield Buffer.from(Buffer.concat([mutation(Buffer.from(head)), rest]))
  }
}
