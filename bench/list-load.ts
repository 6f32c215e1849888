/** Lists, outlines and searches by ten clients at once, in events of 10,000 and 100,000 photos. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure, Target } from './support/figures.ts'
import { addPhotos, enterGallery, makeApiToken, makeGallery, signIn, uploadPath } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { addMarkRows } from './support/mark-rows.ts'
import { measurePairs, ratios } from './support/pairs.ts'
import { addPhotoRows, scatterPhotos } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'

const connections = 10
const atLeast = (value: number): Target => ({ bound: 'at least', value })
const atMost = (value: number): Target => ({ bound: 'at most', value })

export async function measureListLoad(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'list-load')
  const file = join(dataDir, 'proofroom.db')
  const setUp = await startService(dataDir)
  const apiToken = await makeApiToken(setUp.port)
  const [picture = ''] = await makePictures(plan.workspace, { width: 1200, height: 800 }, 1)
  const galleries = []
  for (const photos of [10_000, 100_000]) {
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
  const session = await signIn(service.port)
  const generator = startGenerator()
  const figures: Figure[] = []
  const measure = async (name: string, path: string, token: string, unit: '/s' | 'ms', target?: Target) => {
    const samples: number[] = []
    for (let round = 0; round <= plan.pairs; round++)
      samples.push(await countAnswers(plan, generator, service, path, token))
    const rates = samples.slice(1)
    const isTime = unit === 'ms'
    figures.push({
      name: `list-load: ${name}`,
      unit,
      samples: isTime ? rates.map((rate) => (connections / rate) * 1000) : rates,
      ...(target && { target }),
    })
  }
  for (const { photos, gallery, guestToken } of galleries) {
    const size = photos.toLocaleString('en')
    const path = `/api/gallery/${gallery.slug}`
    const grid = `/api/admin/photos/${gallery.id}/photos?limit=50`
    if (photos === 10_000) {
      figures.push(await comparePages(plan, generator, service, { file, path: uploadPath(gallery), token: apiToken }))
      await measure(`outlines per second, ${size}`, `${path}/outline`, guestToken, '/s', atLeast(300))
      continue
    }
    await measure(`outline, ${size}`, `${path}/outline`, guestToken, 'ms', atMost(150))
    for (const [text, ms] of [
      ['img_777', 30],
      ['77', 150],
      ['IMG', 150],
    ] as const) {
      await measure(
        `search ${text} by guests, ${size}`,
        `${path}/photos?search=${text}&limit=50`,
        guestToken,
        'ms',
        atMost(ms),
      )
      await measure(`search ${text} by operators, ${size}`, `${grid}&search=${text}`, session, 'ms', atMost(ms))
    }
  }
  await service.stop()
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
    seconds: plan.quick ? 1 : 3,
  })
  return answers / seconds
}

/** Compares a page of 50 photos with bare node:http, which reads the same rows and sends the same bytes. */
async function comparePages(
  plan: Plan,
  generator: Generator,
  service: Server,
  { file, path, token }: { file: string; path: string; token: string },
): Promise<Figure> {
  const page = `${path}?limit=50`
  const answer = await fetch(`http://127.0.0.1:${service.port}${page}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const bodyFile = join(plan.workspace, 'page.json')
  await writeFile(bodyFile, Buffer.from(await answer.arrayBuffer()))
  const limit = await startLimit('list-page', [file, bodyFile])
  const pairs = await measurePairs(
    plan.pairs,
    () => countAnswers(plan, generator, limit, '/', token),
    () => countAnswers(plan, generator, service, page, token),
  )
  await limit.stop()
  const rates = pairs.map((pair) => pair.service).sort((a, b) => a - b)
  console.log(`  pages of 50 per second: ${rates[rates.length >> 1]?.toFixed(0)}`)
  return {
    name: 'list-load: pages of 50, 10,000',
    unit: 'x',
    samples: ratios(pairs, (rate) => rate),
    target: atLeast(0.7),
  }
}
