/** The start time and the idle memory of the service, with 10 photos and with 100,000. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import { addPhotos, makeApiToken, makeGallery } from './support/gallery.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { addPhotoRows } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { readTree } from './support/process-tree.ts'
import { startLimit, startService } from './support/server-process.ts'

const fewPhotos = 10
const manyPhotos = 100_000

export async function measureStart(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'start')
  await prepareFewPhotos(plan, dataDir)
  const rows = [['start', 'limit', 'service', 'resident', 'target']]
  const figures = await measureOneSize(plan, dataDir, fewPhotos, rows)
  addPhotoRows(join(dataDir, 'proofroom.db'), manyPhotos - fewPhotos)
  figures.push(...(await measureOneSize(plan, dataDir, manyPhotos, rows)))
  printTable(rows)
  return figures
}

async function measureOneSize(plan: Plan, dataDir: string, photos: number, rows: string[][]): Promise<Figure[]> {
  const limit = async () => {
    const server = await startLimit('start', [], { env: { NODE_COMPILE_CACHE: join(plan.workspace, 'compile-cache') } })
    await server.stop()
    return server.startedInMs
  }
  const service = async () => {
    const server = await startService(dataDir)
    await server.stop()
    return server.startedInMs
  }
  const pairs = await measurePairs(plan.quick ? 3 : 5, limit, service)
  const residentMb = await idleMemory(dataDir, plan.quick ? 3 : 30)
  const times = medians(pairs, (ms) => ms)
  const name = `${photos.toLocaleString('en')} photos`
  rows.push([
    name,
    formatValue(times.limit, 'ms'),
    formatValue(times.service, 'ms'),
    formatValue(residentMb, 'MB'),
    '<= 140 MB',
  ])
  return [
    { name: `start: ${name}, first answer`, unit: 'ms', samples: pairs.map((pair) => pair.service) },
    { name: `start: ${name}, service / bare node:http`, unit: 'x', samples: ratios(pairs, (ms) => ms) },
    {
      name: `start: ${name}, idle memory`,
      unit: 'MB',
      samples: [residentMb],
      target: { bound: 'at most', value: 140 },
    },
  ]
}

async function idleMemory(dataDir: string, seconds: number): Promise<number> {
  const server = await startService(dataDir)
  await sleep(seconds * 1000)
  const { residentBytes } = readTree(server.pid)
  await server.stop()
  return residentBytes / 1e6
}

async function prepareFewPhotos(plan: Plan, dataDir: string): Promise<void> {
  const server = await startService(dataDir)
  const gallery = await makeGallery(server.port, await makeApiToken(server.port))
  const [picture = ''] = await makePictures(plan.workspace, { width: 600, height: 400 }, 1)
  await addPhotos(
    server.port,
    gallery,
    Array.from({ length: fewPhotos }, () => picture),
  )
  await server.stop()
}
