/** The latency of thumbnails that are not in memory, while 8 uploads of 24-megapixel JPEGs run. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, formatValue } from './support/figures.ts'
import { addPhotos, enterGallery, imagePath, makeApiToken, makeGallery, uploadPath } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { startService } from './support/server-process.ts'
import { quantile } from './support/statistics.ts'

const perSecond = 10
const connections = 8

/**
 * Returns the p95 latency in milliseconds. The service has been restarted, and each request is for a different
 * thumbnail.
 */
export async function measureColdThumbnails(
  plan: Plan,
  uploader: Generator,
  files: readonly string[],
): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'cold-thumbnails')
  const setupService = await startService(dataDir)
  const apiToken = await makeApiToken(setupService.port)
  const uploadGallery = await makeGallery(setupService.port, apiToken)
  const viewedGallery = await makeGallery(setupService.port, apiToken)
  const small = await makePictures(plan.workspace, { width: 600, height: 400 }, 4)
  const pictures = Array.from(
    { length: bySize(plan, { full: 300, quick: 60, smallest: 8 }) },
    (_, index) => small[index % small.length] ?? '',
  )
  const ids = await addPhotos(setupService.port, viewedGallery, pictures)
  await setupService.stop()

  const { port, stop } = await startService(dataDir)
  const token = await enterGallery(port, viewedGallery)
  const upload = { kind: 'upload', port, path: uploadPath(uploadGallery), token: apiToken, files, connections } as const
  await uploader.run({ ...upload, count: connections })
  const requests = ids.map((id) =>
    getRequest(port, imagePath(viewedGallery, 'thumbnail', id), { Authorization: `Bearer ${token}` }),
  )
  const viewing = startGenerator().start({
    kind: 'paced',
    port,
    requests,
    repeats: false,
    perSecond,
    connections,
    status: 200,
  })
  await uploader.run({ ...upload, count: bySize(plan, { full: 200, quick: 16, smallest: 8 }) })
  const { timesMs } = await viewing.finish()
  await stop()
  await rm(dataDir, { recursive: true })

  const p95 = quantile(timesMs, 0.95)
  console.log(
    `  ${timesMs.length} cold thumbnails beside ${connections} uploads: p50 ${formatValue(quantile(timesMs, 0.5), 'ms')}, ` +
      `p95 ${formatValue(p95, 'ms')} (<= 30 ms)`,
  )
  return [
    {
      name: 'ingest: cold thumbnail p95, 8 at once',
      unit: 'ms',
      samples: [p95],
      target: { bound: 'at most', value: 30 },
    },
  ]
}
