/** The start time of the service, with 10 photos and with 100,000, and its memory at rest. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, Target } from './support/figures.ts'
import { addPhotos, enterGallery, type Gallery, makeApiToken, makeGallery } from './support/gallery.ts'
import { measurePairs, ratios } from './support/pairs.ts'
import { addPhotoRows } from './support/photo-rows.ts'
import { cameraSize, makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readProportionalBytes, readTree } from './support/process-tree.ts'
import { type Server, startLimit, startService, startServiceByNpm } from './support/server-process.ts'

const fewPhotos = 10

const atMost = (value: number): Target => ({ bound: 'at most', value })

export async function measureStart(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'start')
  const gallery = await prepareFewPhotos(plan, dataDir)
  const figures = [
    ...(await measureTimes(plan, dataDir, fewPhotos, 600)),
    ...(await measureVariants(plan, dataDir)),
    ...(await measureMemory(plan, dataDir, gallery)),
  ]
  const manyPhotos = bySize(plan, { full: 100_000, quick: 100_000, smallest: 1_000 })
  addPhotoRows(join(dataDir, 'proofroom.db'), manyPhotos - fewPhotos)
  return [...figures, ...(await measureTimes(plan, dataDir, manyPhotos, 800))]
}

/** From the start of Node to the first answer, compared with bare node:http. */
async function measureTimes(plan: Plan, dataDir: string, photos: number, maxMs: number): Promise<Figure[]> {
  const limit = async () => {
    const server = await startLimit('start', [], { env: { NODE_COMPILE_CACHE: join(plan.workspace, 'compile-cache') } })
    await server.stop()
    return server.startedInMs
  }
  const pairs = await measurePairs(plan.pairs, limit, () => timeStart(startService(dataDir)))
  const name = `start: ${photos.toLocaleString('en')} photos`
  return [
    { name: `${name}, first answer`, unit: 'ms', samples: pairs.map((pair) => pair.service), target: atMost(maxMs) },
    { name: `${name}, service / bare node:http`, unit: 'x', samples: ratios(pairs, (ms) => ms) },
  ]
}

async function timeStart(started: Promise<Server>): Promise<number> {
  const server = await started
  await server.stop()
  return server.startedInMs
}

async function measureVariants(plan: Plan, dataDir: string): Promise<Figure[]> {
  const byNpm: number[] = []
  const veryFirst: number[] = []
  while (byNpm.length < plan.pairs) {
    byNpm.push(await timeStart(startServiceByNpm(dataDir)))
    const empty = join(plan.workspace, `first-start-${byNpm.length}`)
    veryFirst.push(await timeStart(startService(empty)))
    await rm(empty, { recursive: true })
  }
  return [
    { name: 'start: npm start, first answer', unit: 'ms', samples: byNpm, target: atMost(750) },
    { name: 'start: very first start, first answer', unit: 'ms', samples: veryFirst, target: atMost(1200) },
  ]
}

/** At rest, and at rest again after a visit of a gallery and an upload. */
async function measureMemory(plan: Plan, dataDir: string, gallery: Gallery): Promise<Figure[]> {
  const restSeconds = bySize(plan, { full: 30, quick: 5, smallest: 0 })
  const server = await startService(dataDir)
  await sleep(restSeconds * 1000)
  const resident = readTree(server.pid).residentBytes / 1e6
  const idle = readProportionalBytes(server.pid) / 1e6
  const headers = { authorization: `Bearer ${await enterGallery(server.port, gallery)}` }
  for (const path of [`/gallery/${gallery.slug}`, `/api/gallery/${gallery.slug}/outline`]) {
    await (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).arrayBuffer()
  }
  await addPhotos(server.port, gallery, await makePictures(plan.workspace, cameraSize(plan), 1))
  await sleep(bySize(plan, { full: 30, quick: 25, smallest: 0 }) * 1000)
  const used = readProportionalBytes(server.pid) / 1e6
  await server.stop()
  return [
    { name: 'start: resident memory at rest', unit: 'MB', samples: [resident], target: atMost(140) },
    { name: 'start: proportional memory at rest', unit: 'MB', samples: [idle], target: atMost(115) },
    { name: 'start: the same after a visit and an upload', unit: 'MB', samples: [used], target: atMost(130) },
  ]
}

async function prepareFewPhotos(plan: Plan, dataDir: string): Promise<Gallery> {
  const server = await startService(dataDir)
  const gallery = await makeGallery(server.port, await makeApiToken(server.port))
  const [picture = ''] = await makePictures(plan.workspace, { width: 600, height: 400 }, 1)
  await addPhotos(
    server.port,
    gallery,
    Array.from({ length: fewPhotos }, () => picture),
  )
  await server.stop()
  return gallery
}
