/**
 * Measures 24-megapixel originals for guests while renditions are due, compared with a service at rest. The background
 * finishes the photo at which it is, and then waits for the end of the requests.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Figure } from './support/figures.ts'
import { addPhotos, enterGallery, type Gallery, imagePath, makeApiToken, makeGallery } from './support/gallery.ts'
import { startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { waitUntilQuiet } from './support/process-tree.ts'
import { startService } from './support/server-process.ts'

const connections = 4
const uploadedPerRound = 20
const renditionsPerPhoto = 3
const timeoutMs = 120_000

export async function measureBackground(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'background')
  const service = await startService(dataDir)
  const generator = startGenerator()
  const apiToken = await makeApiToken(service.port)
  const files = await makePictures(plan.workspace, { width: 6000, height: 4000 }, 3)
  const viewed = await makeGallery(service.port, apiToken)
  const [id = 0] = await addPhotos(service.port, viewed, files.slice(0, 1))
  const headers = { Authorization: `Bearer ${await enterGallery(service.port, viewed)}` }
  const request = getRequest(service.port, imagePath(viewed, 'photo', id), headers)
  const seconds = plan.quick ? 4 : 8
  const flood = async () => {
    const job = { kind: 'flood', port: service.port, request, connections, status: 200, seconds } as const
    const { answers, seconds: elapsed } = await generator.run(job)
    return answers / elapsed
  }

  const database = new Database(join(dataDir, 'proofroom.db'), { readonly: true })
  const countMade = database.prepare('select count(*) from photo_renditions').pluck()
  const waitForRenditions = async (count: number) => {
    const end = performance.now() + timeoutMs
    while (Number(countMade.get()) < count) {
      if (performance.now() > end) throw new Error(`fewer than ${count} renditions were made`)
      await sleep(50)
    }
  }
  const finishedPhotos: number[] = []
  let made = renditionsPerPhoto
  const floodDuringWork = async () => {
    const gallery: Gallery = await makeGallery(service.port, apiToken)
    await addPhotos(
      service.port,
      gallery,
      Array.from({ length: uploadedPerRound }, (_, n) => files[n % 3] ?? ''),
    )
    await waitForRenditions(made + renditionsPerPhoto)
    const before = Number(countMade.get())
    const rate = await flood()
    finishedPhotos.push((Number(countMade.get()) - before) / renditionsPerPhoto)
    made += uploadedPerRound * renditionsPerPhoto
    await waitForRenditions(made)
    await waitUntilQuiet(service.pid)
    return rate
  }
  await waitForRenditions(made)
  const pairs = await measurePairs(plan.quick ? 2 : 5, flood, floodDuringWork)
  database.close()
  await service.stop()

  const rates = medians(pairs, (rate) => rate)
  console.log(
    `  originals per second: at rest ${rates.limit.toFixed(0)}, during the work ${rates.service.toFixed(0)}, photos finished: ${finishedPhotos.slice(1).join(', ')}`,
  )
  return [
    {
      name: 'background: originals while renditions are due',
      unit: 'x',
      samples: ratios(pairs, (rate) => rate),
      target: { bound: 'at least', value: 0.9 },
    },
  ]
}
