/** Measures ZIPs of originals, compared with a bare node:http server that streams the same files from disk. */
import { once } from 'node:events'
import { copyFile, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Figure, formatValue, printTable, type Target } from './support/figures.ts'
import { addPhotos, type Gallery, makeApiToken, makeGallery } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { separateCores } from './support/machine.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { addPhotoRows } from './support/photo-rows.ts'
import { cameraSize, makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readTree, waitUntilQuiet, watchMemory } from './support/process-tree.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

/** An event with `photos` photos on disk, and the request for the ZIP of all of them. */
type ZipFixture = { photos: number; dataDir: string; originals: string; sizeBytes: number; path: string; token: string }

const smallPicture = { width: 600, height: 400 }
const atMost = (value: number): Target => ({ bound: 'at most', value })

/**
 * Returns the throughput for 200 photos, and the time to the first byte and the growth of memory for 200 and for 5,000
 * photos. A quick plan uses fewer photos.
 */
export async function measureZip(plan: Plan): Promise<Figure[]> {
  const cores = separateCores()
  const generator = startGenerator(cores.generator)
  const fixtures = [
    await createZipFixture(plan, bySize(plan, { full: 200, quick: 40, smallest: 4 }), cameraSize(plan)),
    await createZipFixture(plan, bySize(plan, { full: 5_000, quick: 1_000, smallest: 8 }), smallPicture),
  ]
  const [firstFixture] = fixtures
  const figures = firstFixture ? [await measureRate(plan, firstFixture, generator, cores.server)] : []
  for (const fixture of fixtures) figures.push(...(await measureOne(plan, fixture, generator)))
  for (const { dataDir } of fixtures) await rm(dataDir, { recursive: true })
  return figures
}

async function measureRate(plan: Plan, fixture: ZipFixture, generator: Generator, core?: number): Promise<Figure> {
  const limit = await startLimit('zip', [fixture.originals], { core })
  const service = await startService(fixture.dataDir, { core })
  const pairs = await measurePairs(
    plan.pairs,
    () => readWhole(generator, limit, fixture),
    () => readWhole(generator, service, fixture),
  )
  await Promise.all([limit.stop(), service.stop()])
  const samples = ratios(pairs, (rate) => rate)
  const rates = medians(pairs, (rate) => (rate * fixture.sizeBytes) / 1e6)
  printTable([
    ['one ZIP at a time', 'limit', 'service', 'ratio', 'target'],
    [
      `${fixture.photos} photos, ${(fixture.sizeBytes / 1e6).toFixed(0)} MB`,
      `${rates.limit.toFixed(0)} MB/s`,
      `${rates.service.toFixed(0)} MB/s`,
      formatValue(median(samples), 'x'),
      '>= 0.80',
    ],
  ])
  return {
    name: `zip: ${fixture.photos} photos, bytes per second`,
    unit: 'x',
    samples,
    target: { bound: 'at least', value: 0.8 },
  }
}

/**
 * Measures the first byte of the first ZIP after a start. Then measures, in a new process, the growth of the memory and
 * the first byte of later ZIPs.
 */
async function measureOne(plan: Plan, fixture: ZipFixture, generator: Generator): Promise<Figure[]> {
  const service = await startService(fixture.dataDir)
  await waitUntilQuiet(service.pid)
  const firstAfterStartMs = await firstByteMs(service, fixture)
  await waitUntilQuiet(service.pid)
  await service.stop()

  const restarted = await startService(fixture.dataDir)
  await waitUntilQuiet(restarted.pid)
  const restingBytes = readTree(restarted.pid).residentBytes
  const peak = watchMemory(restarted.pid)
  for (let count = 0; count < 3; count++) await readWhole(generator, restarted, fixture)
  const growthMb = (peak() - restingBytes) / 1e6
  const firstBytes: number[] = []
  while (firstBytes.length < bySize(plan, { full: 15, quick: 5, smallest: 1 })) {
    await waitUntilQuiet(restarted.pid)
    firstBytes.push(await firstByteMs(restarted, fixture))
  }
  await restarted.stop()
  const name = `zip: ${fixture.photos.toLocaleString('en')} photos`
  return [
    { name: `${name}, first byte`, unit: 'ms', samples: firstBytes, target: atMost(50) },
    { name: `${name}, first byte of the first ZIP after a start`, unit: 'ms', samples: [firstAfterStartMs] },
    { name: `${name}, growth of resident memory`, unit: 'MB', samples: [growthMb], target: atMost(64) },
  ]
}

/** Returns archives per second, measured over one archive. */
async function readWhole(generator: Generator, { port }: Server, { path, token }: ZipFixture): Promise<number> {
  const request = getRequest(port, path, { Authorization: `Bearer ${token}` })
  const flood = { kind: 'flood', port, request, connections: 1, status: 200, seconds: 0 } as const
  const { answers, seconds } = await generator.run(flood)
  return answers / seconds
}

/** Returns the time from the request to the first byte of the body. The rest is not read. */
async function firstByteMs({ port }: Server, { path, token }: ZipFixture): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  const begin = performance.now()
  socket.write(getRequest(port, path, { Authorization: `Bearer ${token}` }))
  let seen = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    seen += chunk.toString('latin1')
    if (/\r\n\r\n./s.test(seen)) break
  }
  if (!seen.startsWith('HTTP/1.1 200')) throw new Error(`the ZIP answers ${seen.slice(0, 200)}`)
  return performance.now() - begin
}

/** One photo is uploaded; the others are copies of its row and of its file. */
async function createZipFixture(
  plan: Plan,
  photos: number,
  size: { width: number; height: number },
): Promise<ZipFixture> {
  const dataDir = join(plan.workspace, `zip-${photos}`)
  const service = await startService(dataDir)
  const token = await makeApiToken(service.port)
  const gallery = await makeGallery(service.port, token)
  const pictures = await makePictures(plan.workspace, size, 1)
  await addPhotos(service.port, gallery, pictures)
  await service.stop()

  const originals = join(dataDir, 'media/files/events', String(gallery.id), 'originals')
  const [first = ''] = await readdir(originals)
  addPhotoRows(join(dataDir, 'proofroom.db'), photos - 1)
  for (let number = 1; number < photos; number++) {
    const name = `${1_700_000_000_000 + number}_${number.toString(16).padStart(8, '0')}.jpg`
    await copyFile(join(originals, first), join(originals, name))
  }
  const sizeBytes = (await stat(join(originals, first))).size * photos
  return { photos, dataDir, originals, sizeBytes, path: zipPath(gallery), token }
}

const zipPath = (gallery: Gallery): string => `/api/v1/events/${gallery.id}/photos/download`
