/**
 * 200 guests browse a gallery of 1,000 photos, mark and sign in while 4 uploads of 24-megapixel JPEGs into it run. The
 * clients use the same cores.
 */
import { join } from 'node:path'
import { type Figure, formatTarget, formatValue, printTable, type Target } from './support/figures.ts'
import {
  addPhotos,
  enterGallery,
  feedbackPath,
  type Gallery,
  imagePath,
  makeApiToken,
  makeGallery,
  uploadPath,
} from './support/gallery.ts'
import { copyPhotosWithPictures } from './support/gallery-copies.ts'
import { startGenerator } from './support/load-generator.ts'
import { getRequest, type PacedJob, postRequest } from './support/load-jobs.ts'
import { photoIds } from './support/photo-rows.ts'
import { cameraSize, makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { type Server, startService } from './support/server-process.ts'
import { quantile } from './support/statistics.ts'

const uploads = 4
const password = 'Summer-2026-in-the-garden'

type Prepared = { service: Server; gallery: Gallery; locked: Gallery; tokens: string[]; photos: number[] }
type Work = { port: number; requests: string[]; perSecond: number; share: number; target?: Target }

/** Throws for any failed request. */
export async function measureSoak(plan: Plan): Promise<Figure[]> {
  const prepared = await prepareGallery(plan)
  const { service, gallery } = prepared
  const files = await makePictures(plan.workspace, cameraSize(plan), 3)
  const uploader = startGenerator()
  const upload = { port: service.port, path: uploadPath(gallery), token: gallery.apiToken, files }
  await uploader.run({ kind: 'upload', ...upload, connections: uploads, count: uploads })
  const uploading = uploader.start({ kind: 'upload', ...upload, connections: uploads })

  const guests = startGenerator()
  const works = Object.entries(listWorks(prepared))
  const browse = (seconds: number) =>
    Promise.all(works.map(async ([name, work]) => ({ name, work, ...(await guests.run(createJob(work, seconds))) })))
  await browse(bySize(plan, { full: 5, quick: 5, smallest: 1 }))
  const outcomes = await browse(bySize(plan, { full: 60, quick: 10, smallest: 1 }))
  const { answers: uploaded, seconds } = await uploading.finish()
  await service.stop()

  const rows = [['200 guests, 4 uploads', 'per second', 'p50', 'p95', 'p99', 'target']]
  const figures: Figure[] = []
  for (const { name, work, answers, seconds, timesMs } of outcomes) {
    const { share, target } = work
    const at = (part: number) => formatValue(quantile(timesMs, part), 'ms')
    rows.push([name, (answers / seconds).toFixed(1), at(0.5), at(0.95), at(0.99), formatTarget(target, 'ms')])
    figures.push({
      name: `soak: ${name}, p${share * 100}`,
      unit: 'ms',
      samples: [quantile(timesMs, share)],
      ...(target && { target }),
    })
  }
  rows.push(['uploads', (uploaded / seconds).toFixed(1)])
  printTable(rows)
  return figures
}

const createJob = ({ port, requests, perSecond }: Work, seconds: number): PacedJob => ({
  kind: 'paced',
  port,
  requests,
  repeats: true,
  perSecond,
  connections: Math.min(100, Math.max(4, perSecond)),
  seconds,
  status: 200,
})

function listWorks({ service: { port }, gallery, locked, tokens, photos }: Prepared): Record<string, Work> {
  const headers = (index: number) => ({ Authorization: `Bearer ${tokens[index % tokens.length]}` })
  const photo = (index: number) => photos[index % photos.length] ?? 0
  const each = (count: number, create: (index: number) => string) => Array.from({ length: count }, (_, i) => create(i))
  const atMost = (value: number): Target => ({ bound: 'at most', value })
  const view = (path: string, index: number) => getRequest(port, path, headers(index))
  return {
    thumbnails: {
      port,
      requests: each(4_000, (index) => view(imagePath(gallery, 'thumbnail', photo(index)), index)),
      perSecond: 200,
      share: 0.95,
      target: atMost(80),
    },
    'photos at 1280 px': {
      port,
      requests: each(1_000, (index) => view(`${imagePath(gallery, 'photo', photo(index))}?w=1280`, index)),
      perSecond: 20,
      share: 0.95,
    },
    'pages of 50': {
      port,
      requests: each(200, (index) =>
        view(`/api/gallery/${gallery.slug}/photos?limit=50&page=${1 + (index % 20)}`, index),
      ),
      perSecond: 10,
      share: 0.95,
    },
    marks: {
      port,
      requests: each(5 * photos.length, (index) => {
        const body = { feedback_type: 'rating', rating: 1 + (Math.floor(index / photos.length) % 5) }
        return postRequest(port, feedbackPath(gallery, photo(index * 7)), body, headers(index))
      }),
      perSecond: 20,
      share: 0.95,
      target: atMost(150),
    },
    'sign-ins': {
      port,
      requests: [postRequest(port, '/api/auth/gallery/verify', { slug: locked.slug, password }, {})],
      perSecond: 2,
      share: 0.95,
    },
    health: { port, requests: [getRequest(port, '/health', {})], perSecond: 5, share: 0.99, target: atMost(100) },
  }
}

/** All photos share the thumbnails and renditions of a few. */
async function prepareGallery(plan: Plan): Promise<Prepared> {
  const dataDir = join(plan.workspace, 'soak')
  const setUp = await startService(dataDir)
  const gallery = await makeGallery(setUp.port, await makeApiToken(setUp.port))
  const locked = await makeGallery(setUp.port, gallery.apiToken, { require_password: true, password })
  const ids = await addPhotos(
    setUp.port,
    gallery,
    await makePictures(
      plan.workspace,
      { width: 2400, height: 1600 },
      bySize(plan, { full: 20, quick: 20, smallest: 2 }),
    ),
  )
  const first = await enterGallery(setUp.port, gallery)
  for (const id of ids) {
    const url = `http://127.0.0.1:${setUp.port}${imagePath(gallery, 'photo', id)}?w=1280`
    await (await fetch(url, { headers: { authorization: `Bearer ${first}` } })).arrayBuffer()
  }
  await setUp.stop()
  const file = join(dataDir, 'proofroom.db')
  copyPhotosWithPictures(file, gallery.id, bySize(plan, { full: 1_000, quick: 1_000, smallest: 20 }))
  const service = await startService(dataDir)
  const tokens: string[] = []
  while (tokens.length < bySize(plan, { full: 200, quick: 200, smallest: 5 }))
    tokens.push(await enterGallery(service.port, gallery))
  return { service, gallery, locked, tokens, photos: photoIds(file, gallery.id) }
}
