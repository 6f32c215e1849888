/** Measures rendition warming after uploads of 24-megapixel JPEGs, compared with sharp alone. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { spawnNode } from './support/children.ts'
import { type Figure, formatValue } from './support/figures.ts'
import { addPhotos, makeApiToken, makeGallery } from './support/gallery.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { readTree, watchMemory } from './support/process-tree.ts'
import { type Server, startService } from './support/server-process.ts'

type Run = { photosPerSecond: number; peakResidentMb: number; cpuSecondsPerPhoto: number }

const photosPerSecond = (run: Run) => run.photosPerSecond
const renditionsPerPhoto = 3
const timeoutMs = 300_000

export async function measureRenditions(plan: Plan): Promise<Figure[]> {
  const files = await makePictures(plan.workspace, { width: 6000, height: 4000 }, 3)
  const count = plan.quick ? 16 : 100
  const folder = join(plan.workspace, 'renditions')
  const dataDir = join(folder, 'service')
  const service = await startService(dataDir)
  const apiToken = await makeApiToken(service.port)
  const pairs = await measurePairs(
    plan.quick ? 1 : 3,
    () => runSharpBaseline(join(folder, 'alone'), files, count),
    () => warm({ service, dataDir, apiToken }, files, count),
  )
  await service.stop()
  await rm(folder, { recursive: true })

  const rate = medians(pairs, photosPerSecond)
  const peaks = pairs.map((pair) => pair.service.peakResidentMb)
  console.log(
    `  ${count} ladders: sharp alone ${rate.limit.toFixed(2)} photos/s, warming ${rate.service.toFixed(2)} (>= 0.80), ` +
      `peak ${formatValue(Math.max(...peaks), 'MB')} (<= 450 MB)`,
  )
  return [
    {
      name: 'renditions: photos/s while warming',
      unit: 'x',
      samples: ratios(pairs, photosPerSecond),
      target: { bound: 'at least', value: 0.8 },
    },
    {
      name: 'renditions: CPU s per photo, upload included',
      unit: 's',
      samples: pairs.map((pair) => pair.service.cpuSecondsPerPhoto),
      target: { bound: 'at most', value: 0.45 },
    },
    {
      name: 'renditions: peak memory while warming',
      unit: 'MB',
      samples: [Math.max(...peaks)],
      target: { bound: 'at most', value: 450 },
    },
  ]
}

async function runSharpBaseline(folder: string, files: readonly string[], count: number): Promise<Run> {
  await mkdir(folder, { recursive: true })
  const limit = join(import.meta.dirname, 'limits/renditions-alone.ts')
  const child = spawnNode([limit, String(count), folder, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = Buffer.concat((await child.stdout?.toArray()) ?? []).toString()
  await rm(folder, { recursive: true })
  return { ...JSON.parse(printed), peakResidentMb: 0, cpuSecondsPerPhoto: 0 }
}

type WarmTarget = { service: Server; dataDir: string; apiToken: string }

/** Measures after the uploads, until the last rendition is recorded. */
async function warm({ service, dataDir, apiToken }: WarmTarget, files: readonly string[], count: number): Promise<Run> {
  const gallery = await makeGallery(service.port, apiToken)
  const cpuBefore = readTree(service.pid).cpuSeconds
  const pictures = Array.from({ length: count }, (_, index) => files[index % files.length] ?? '')
  await addPhotos(service.port, gallery, pictures)
  const peak = watchMemory(service.pid)
  const database = new Database(join(dataDir, 'proofroom.db'), { readonly: true })
  const made = database.prepare('select count(*) from photo_renditions where event_id = ?').pluck()
  const waitForRenditions = async (minCount: number) => {
    const end = performance.now() + timeoutMs
    for (;;) {
      const steps = Number(made.get(gallery.id))
      if (steps >= minCount) return { photos: steps / renditionsPerPhoto, at: performance.now() }
      if (performance.now() > end) throw new Error(`only ${steps} of ${minCount} pictures were made`)
      await sleep(20)
    }
  }
  const first = await waitForRenditions(1)
  const last = await waitForRenditions(count * renditionsPerPhoto)
  database.close()
  const seconds = (last.at - first.at) / 1000
  return {
    photosPerSecond: (last.photos - first.photos) / seconds,
    peakResidentMb: peak() / 1e6,
    cpuSecondsPerPhoto: (readTree(service.pid).cpuSeconds - cpuBefore) / count,
  }
}
