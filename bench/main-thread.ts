/** CPU time of the service's main thread for a mark and for an upload. Other work on the machine hardly changes it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openGallery, watchEvent } from './marks.ts'
import { type Figure, printTable } from './support/figures.ts'
import { makeApiToken, makeGallery, uploadPath } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { readMainThreadMs, readTree, waitUntilQuiet } from './support/process-tree.ts'
import { type Server, startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

type Cost = { mainMs: number; totalMs: number }

const guestCount = 200
/** At a constant rate each mark has a commit of its own. */
const markLevels = [
  { name: 'a mark, 200 each second', connections: 50, perSecond: 200 },
  { name: 'a mark, 50 at once', connections: 50, perSecond: 1e9 },
]
const uploadConnections = [1, 4]

export async function measureMainThread(plan: Plan): Promise<Figure[]> {
  const generator = startGenerator()
  const marks = await measureMarks(plan, generator)
  const uploads = await measureUploads(plan, generator)
  const rows = [...marks, ...uploads].map(({ name, costs }) => [
    name,
    median(costs.map(({ mainMs }) => mainMs)).toFixed(2),
    median(costs.map(({ totalMs }) => totalMs)).toFixed(2),
  ])
  printTable([['CPU ms of each', 'main thread', 'all processes'], ...rows])
  return [
    ...marks.map(({ name, costs }) => toFigure(name, costs, 0.7)),
    ...uploads.map(({ name, costs }) => toFigure(name, costs, 10)),
  ]
}

const toFigure = (name: string, costs: readonly Cost[], value: number): Figure => ({
  name: `main thread: ${name}`,
  unit: 'ms',
  samples: costs.map(({ mainMs }) => mainMs),
  target: { bound: 'at most', value },
})

type Measured = { name: string; costs: Cost[] }

async function measureMarks(plan: Plan, generator: Generator): Promise<Measured[]> {
  const dataDir = join(plan.workspace, 'main-thread-marks')
  const { service, gallery, createRequest } = await openGallery(plan, dataDir, guestCount)
  await watchEvent(service.port, gallery)
  const count = plan.quick ? 1_000 : 4_000
  let next = 0
  const give = async ({ connections, perSecond }: (typeof markLevels)[0], marks: number) => {
    const requests = Array.from({ length: marks }, () => createRequest(next++))
    const job = { kind: 'paced', port: service.port, requests, repeats: false, perSecond, status: 200 } as const
    await generator.run({ ...job, connections })
  }
  const measured: Measured[] = []
  for (const level of markLevels) {
    await give({ ...level, perSecond: 1e9 }, 1_000)
    measured.push({ name: level.name, costs: await repeat(plan.pairs, service, count, () => give(level, count)) })
  }
  await service.stop()
  return measured
}

async function measureUploads(plan: Plan, generator: Generator): Promise<Measured[]> {
  const files = await makePictures(plan.workspace, { width: 6000, height: 4000 }, 3)
  const megabytes = await Promise.all(files.map(async (file) => (await stat(file)).size / 1e6))
  console.log(`  24-megapixel JPEGs of ${megabytes.map((size) => size.toFixed(1)).join(', ')} MB`)
  const service = await startService(join(plan.workspace, 'main-thread-uploads'))
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  const count = plan.quick ? 12 : 24
  const upload = { kind: 'upload', port: service.port, path: uploadPath(gallery), token: gallery.apiToken } as const
  await generator.run({ ...upload, files, connections: 2, count: 8 })
  const measured: Measured[] = []
  for (const connections of uploadConnections) {
    const costs = await repeat(plan.pairs, service, count, () =>
      generator.run({ ...upload, files, connections, count }),
    )
    measured.push({ name: `an upload, ${connections} at once`, costs })
  }
  await service.stop()
  return measured
}

async function repeat(runs: number, { pid }: Server, count: number, work: () => Promise<unknown>): Promise<Cost[]> {
  const costs: Cost[] = []
  while (costs.length < runs) {
    await waitUntilQuiet(pid)
    const before = { mainMs: readMainThreadMs(pid), totalMs: readTree(pid).cpuSeconds * 1000 }
    await work()
    await waitUntilQuiet(pid)
    const mainMs = readMainThreadMs(pid) - before.mainMs
    costs.push({ mainMs: mainMs / count, totalMs: (readTree(pid).cpuSeconds * 1000 - before.totalMs) / count })
  }
  return costs
}
