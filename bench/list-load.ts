/** Lists, outlines and searches by ten clients at once, in events of 10,000 and 100,000 photos. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure, Target } from './support/figures.ts'
import {
  addPhotos,
  enterGallery,
  type Gallery,
  makeApiToken,
  makeGallery,
  signIn,
  uploadPath,
} from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { addMarkRows } from './support/mark-rows.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { addPhotoRows, scatterPhotos } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'

const connections = 10
const sizes = { full: [10_000, 100_000], quick: [10_000, 100_000], smallest: [100, 200] }
const atLeast = (value: number): Target => ({ bound: 'at least', value })
const atMost = (value: number): Target => ({ bound: 'at most', value })

type Prepared = { service: Server; galleries: PreparedGallery[]; stop: () => Promise<void> }
type PreparedGallery = { photos: number; gallery: Gallery; guestToken: string }

export async function measureListLoad(plan: Plan): Promise<Figure[]> {
  const file = join(plan.workspace, 'list-load/proofroom.db')
  const prepared = await prepare(plan, file)
  const [smaller] = prepared.galleries
  const figures = smaller ? [await comparePages(plan, prepared.service, { file, gallery: smaller.gallery })] : []
  return [...figures, ...(await measureOutlinesAndSearches(plan, prepared))]
}

async function prepare(plan: Plan, file: string): Promise<Prepared> {
  const dataDir = join(plan.workspace, 'list-load')
  const setUp = await startService(dataDir)
  const apiToken = await makeApiToken(setUp.port)
  const [picture = ''] = await makePictures(plan.workspace, { width: 1200, height: 800 }, 1)
  const galleries: PreparedGallery[] = []
  for (const photos of bySize(plan, sizes)) {
    const gallery = await makeGallery(setUp.port, apiToken, { event_name: `Event of ${photos} photos` })
    await addPhotos(setUp.port, gallery, [picture])
    galleries.push({ photos, gallery, guestToken: await enterGallery(setUp.port, gallery) })
  }
  await setUp.stop()
  for (const { photos, gallery } of galleries) {
    addPhotoRows(file, photos - 1, gallery.id)
    addMarkRows(file, gallery.id)
    scatterPhotos(file, gallery.id)
  }
  const service = await startService(dataDir)
  return { service, galleries, stop: service.stop }
}

async function measureOutlinesAndSearches(plan: Plan, { service, galleries, stop }: Prepared): Promise<Figure[]> {
  const session = await signIn(service.port)
  const generator = startGenerator()
  const figures: Figure[] = []
  const measure = async (name: string, path: string, token: string, unit: '/s' | 'ms', target: Target) => {
    const rates: number[] = []
    for (let round = 0; round <= plan.pairs; round++)
      rates.push(await countAnswers(plan, generator, service, path, token))
    const samples = rates.slice(1).map((rate) => (unit === 'ms' ? (connections / rate) * 1000 : rate))
    figures.push({ name: `list-load: ${name}`, unit, samples, target })
  }
  for (const { photos, gallery, guestToken } of galleries) {
    const size = photos.toLocaleString('en')
    const path = `/api/gallery/${gallery.slug}`
    const grid = `/api/admin/photos/${gallery.id}/photos?limit=50`
    if (gallery === galleries[0]?.gallery) {
      await measure(`outlines per second, ${size}`, `${path}/outline`, guestToken, '/s', atLeast(300))
      continue
    }
    await measure(`outline, ${size}`, `${path}/outline`, guestToken, 'ms', atMost(15))
    for (const [text, ms] of [
      ['img_777', 30],
      ['77', 150],
      ['IMG', 150],
    ] as const) {
      const guests = `${path}/photos?search=${text}&limit=50`
      await measure(`search ${text} by guests, ${size}`, guests, guestToken, 'ms', atMost(ms))
      await measure(`search ${text} by operators, ${size}`, `${grid}&search=${text}`, session, 'ms', atMost(ms))
    }
  }
  await stop()
  return figures
}

async function countAnswers(
  plan: Plan,
  generator: Generator,
  { port }: Server,
  path: string,
  token: string,
): Promise<number> {
  const request = getRequest(port, path, { Authorization: `Bearer ${token}` })
  const { answers, seconds } = await generator.run({
    kind: 'flood',
    port,
    request,
    connections,
    status: 200,
    seconds: bySize(plan, { full: 3, quick: 1, smallest: 0.1 }),
  })
  return answers / seconds
}

/** Compares a page of 50 photos with bare node:http, which reads the same rows and writes the same bytes. */
async function comparePages(
  plan: Plan,
  service: Server,
  { file, gallery }: { file: string; gallery: Gallery },
): Promise<Figure> {
  const page = `${uploadPath(gallery)}?limit=50`
  const headers = { Authorization: `Bearer ${gallery.apiToken}` }
  const answer = await fetch(`http://127.0.0.1:${service.port}${page}`, { headers })
  const bodyFile = join(plan.workspace, 'page.json')
  await writeFile(bodyFile, Buffer.from(await answer.arrayBuffer()))
  const generator = startGenerator()
  const limit = await startLimit('list-page', [file, bodyFile, gallery.slug])
  const pairs = await measurePairs(
    plan.pairs,
    () => countAnswers(plan, generator, limit, '/', gallery.apiToken),
    () => countAnswers(plan, generator, service, page, gallery.apiToken),
  )
  await limit.stop()
  const rates = medians(pairs, (rate) => rate)
  console.log(`  pages of 50 per second: limit ${rates.limit.toFixed(0)}, service ${rates.service.toFixed(0)}`)
  return {
    name: 'list-load: pages of 50',
    unit: 'x',
    samples: ratios(pairs, (rate) => rate),
    target: atLeast(0.7),
  }
}
