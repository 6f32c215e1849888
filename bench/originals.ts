/** Measures 24-megapixel originals for guests, with and without GPS location, compared with a bare node:http server. */
import { join } from 'node:path'
import sharp from 'sharp'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import { addPhotos, enterGallery, imagePath, makeApiToken, makeGallery } from './support/gallery.ts'
import { startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { separateCores } from './support/machine.ts'
import { measurePairs, medians, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'

const connections = 4

export async function measureOriginals(plan: Plan): Promise<Figure[]> {
  const cores = separateCores()
  const generator = startGenerator(cores.generator)
  const [plain = ''] = await makePictures(plan.workspace, { width: 6000, height: 4000 }, 1)
  const pictures = { 'an original': plain, 'an original with a place': await addGpsLocation(plan, plain) }
  const service = await startService(join(plan.workspace, 'originals'), { core: cores.server })
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  const token = await enterGallery(service.port, gallery)

  const figures: Figure[] = []
  const rows = [[`${connections} at a time`, 'limit', 'service', 'ratio', 'target']]
  for (const [name, picture] of Object.entries(pictures)) {
    const limit = await startLimit('originals', [picture], { core: cores.server })
    const [id = 0] = await addPhotos(service.port, gallery, [picture])
    const path = imagePath(gallery, 'photo', id)
    const flood = async ({ port }: Server) => {
      const request = getRequest(port, path, { Authorization: `Bearer ${token}` })
      const seconds = plan.quick ? 0.5 : 2
      const { answers, seconds: elapsedSeconds } = await generator.run({
        kind: 'flood',
        port,
        request,
        connections,
        status: 200,
        seconds,
      })
      return answers / elapsedSeconds
    }
    const pairs = await measurePairs(
      plan.pairs,
      () => flood(limit),
      () => flood(service),
    )
    await limit.stop()
    const samples = ratios(pairs, (rate) => rate)
    const rates = medians(pairs, (rate) => rate)
    rows.push([name, rates.limit.toFixed(0), rates.service.toFixed(0), formatValue(median(samples), 'x'), '>= 0.80'])
    figures.push({
      name: `originals: ${name}, per second`,
      unit: 'x',
      samples,
      target: { bound: 'at least', value: 0.8 },
    })
  }
  printTable(rows)
  return figures
}

async function addGpsLocation(plan: Plan, picture: string): Promise<string> {
  const located = join(plan.workspace, 'located.jpg')
  const gpsTags = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 8/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '11/1 34/1 0/1',
  }
  await sharp(picture).withExif({ IFD3: gpsTags }).jpeg({ quality: 90 }).toFile(located)
  return located
}
