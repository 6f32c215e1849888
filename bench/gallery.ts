/** Measures the largest contentful paint of a first visit on a slow connection, with 1,000 photos. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { launchChromium } from '../tools/chromium.ts'
import { type LargestPaint, largestPaint, phone } from '../tools/largest-paint.ts'
import { noisyPicture } from '../tools/sample-pictures.ts'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import { addPhotos, enterGallery, type Gallery, imagePath, makeApiToken, makeGallery } from './support/gallery.ts'
import { copyPhotosWithPictures } from './support/gallery-copies.ts'
import { bySize, type Plan } from './support/plan.ts'
import { startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

/** In pixels. The renditions are as large as those of real photos: about 22 KB at a width of 640, 150 KB at 1280. */
const formats = ['2400x1600', '2400x1600', '2000x3000', '2400x1600', '2400x1600']

const desktop = { viewport: { width: 1280, height: 800 } }

type Visit = {
  name: string
  header: 'standard' | 'hero'
  device: BrowserContextOptions
  slowdown: number
  targetMs: number
}
const kinds: Visit[] = [
  { name: 'phone', header: 'standard', device: phone, slowdown: 1, targetMs: 1_800 },
  { name: 'phone, processor 4 x slower', header: 'standard', device: phone, slowdown: 4, targetMs: 2_500 },
  { name: 'phone, cover above', header: 'hero', device: phone, slowdown: 1, targetMs: 1_800 },
  { name: 'desktop', header: 'standard', device: desktop, slowdown: 1, targetMs: 1_800 },
  { name: 'desktop, cover above', header: 'hero', device: desktop, slowdown: 1, targetMs: 1_800 },
]

export async function measureGallery(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'gallery')
  const galleries = await makeGalleries(plan, dataDir)
  const service = await startService(dataDir)
  const browser = await launchChromium()
  const rows = [['largest paint at 1.6 Mbit/s, 150 ms', 'median', 'each', 'shift', 'of']]
  const figures: Figure[] = []
  const visits = bySize(plan, { full: 5, quick: 3, smallest: 1 })
  const measuredKinds = bySize(plan, { full: kinds, quick: kinds, smallest: kinds.slice(0, 1) })
  try {
    for (const { name, header, device, slowdown, targetMs } of measuredKinds) {
      const { slug, shareToken } = galleries[header]
      const url = `http://127.0.0.1:${service.port}/gallery/${slug}/${shareToken}`
      // This load is not measured, because the first page load in a browser process is slower than later ones.
      await largestPaint(browser, url, { device })
      const paints: LargestPaint[] = []
      while (paints.length < visits) paints.push(await largestPaint(browser, url, { device, slowdown }))
      const samples = paints.map(({ ms }) => ms)
      const shift = Math.max(...paints.map(({ layoutShift }) => layoutShift))
      const each = samples.map((ms) => ms.toFixed(0)).join(' ')
      rows.push([name, formatValue(median(samples), 'ms'), each, String(shift), paints[0]?.element.slice(0, 60) ?? ''])
      const target = { bound: 'at most', value: targetMs } as const
      figures.push({ name: `gallery: largest paint, ${name}`, unit: 'ms', samples, target })
    }
  } finally {
    await browser.close()
    await service.stop()
  }
  printTable(rows)
  return figures
}

async function makeGalleries(plan: Plan, dataDir: string): Promise<Record<Visit['header'], Gallery>> {
  const service = await startService(dataDir)
  const token = await makeApiToken(service.port)
  const paths = await makePictures(plan)
  const make = async (header: Visit['header']): Promise<Gallery> => {
    const gallery = await makeGallery(service.port, token, { header_style: header })
    await makeAllPictures(service.port, gallery, await addPhotos(service.port, gallery, paths))
    return gallery
  }
  const galleries = { standard: await make('standard'), hero: await make('hero') }
  await service.stop()
  const photos = bySize(plan, { full: 1_000, quick: 1_000, smallest: 20 })
  for (const { id } of Object.values(galleries)) copyPhotosWithPictures(join(dataDir, 'proofroom.db'), id, photos)
  return galleries
}

async function makePictures(plan: Plan): Promise<string[]> {
  const paths: string[] = []
  const made = bySize(plan, { full: formats, quick: formats, smallest: formats.slice(0, 1) })
  for (const [seed, format] of made.entries()) {
    const [width = 0, height = 0] = format.split('x').map(Number)
    const path = join(plan.workspace, `gallery-${seed}.jpg`)
    await writeFile(path, await noisyPicture({ width, height, seed }))
    paths.push(path)
  }
  return paths
}

/** A request for one width in one format makes the service create all other widths of that format. */
async function makeAllPictures(port: number, gallery: Gallery, ids: readonly number[]): Promise<void> {
  const headers = {
    authorization: `Bearer ${await enterGallery(port, gallery)}`,
    accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  }
  for (const id of ids) {
    const answer = await fetch(`http://127.0.0.1:${port}${imagePath(gallery, 'photo', id)}?w=640`, { headers })
    if (!answer.ok) throw new Error(`a picture answers ${answer.status}`)
    await answer.arrayBuffer()
  }
}
