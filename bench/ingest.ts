/**
 * Uploads of 24-megapixel JPEGs, compared with bare node:http with the same durability and the same thumbnail. The
 * service also computes SHA-256 and CRC-32 of each file, because the contract of the API asks for it; a second bare
 * server does the same.
 */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { measureColdThumbnails } from './cold-thumbnails.ts'
import { type Figure, formatValue, printTable, type Target } from './support/figures.ts'
import { makeApiToken, makeGallery, uploadPath } from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { cameraSize, makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { type Server, startLimit, startService } from './support/server-process.ts'
import { runSharpBaseline, type SharpBaseline } from './support/sharp-baseline.ts'
import { median } from './support/statistics.ts'
import { type UploadRun, uploadOnce } from './support/upload-runs.ts'

/** `hashed`: pairs with the bare server that hashes. */
type Level = {
  connections: number
  pairs: Pair<UploadRun>[]
  hashed: Pair<UploadRun>[]
  baseline: SharpBaseline
}

const connectionCounts = { full: [1, 2, 4, 8], quick: [1, 2, 4, 8], smallest: [2] }
const atMost = (value: number): Target => ({ bound: 'at most', value })
const atLeast = (value: number): Target => ({ bound: 'at least', value })
const photosPerSecond = (run: UploadRun) => run.photosPerSecond
const cpuSeconds = (run: UploadRun) => run.cpuSecondsPerPhoto
const writtenPerSent = (run: UploadRun) => run.writtenPerSent

export async function measureIngest(plan: Plan): Promise<Figure[]> {
  const files = await makePictures(plan.workspace, cameraSize(plan), 3)
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size / 1e6))
  console.log(`  JPEGs of ${sizes.map((size) => size.toFixed(1)).join(', ')} MB`)
  const uploader = startGenerator()
  const levels: Level[] = []
  for (const connections of bySize(plan, connectionCounts))
    levels.push(await measureLevel(plan, uploader, files, connections))
  printLevels(levels)
  const figures = levels.flatMap(levelFigures)
  const busiest = levels.at(-1)?.pairs.map((pair) => pair.service.peakResidentMb) ?? []
  figures.push({
    name: 'ingest: peak memory, 8 at once',
    unit: 'MB',
    samples: [Math.max(...busiest)],
    target: atMost(400),
  })
  return [...figures, ...(await measureColdThumbnails(plan, uploader, files))]
}

async function measureLevel(plan: Plan, uploader: Generator, files: string[], connections: number): Promise<Level> {
  const folder = join(plan.workspace, `ingest-${connections}`)
  const baseline = await runSharpBaseline(
    join(folder, 'alone'),
    files,
    bySize(plan, { full: 24, quick: 6, smallest: 2 }),
  )
  const limit = await startLimit('ingest', [join(folder, 'limit')])
  const hashing = await startLimit('ingest', [join(folder, 'hashing'), 'hashed'])
  const service = await startService(join(folder, 'service'))
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  const uploads = { files, connections, count: bySize(plan, { full: 24, quick: 8, smallest: 1 }) + connections }
  const { thumbnailBytes } = baseline
  const ofLimit = (server: Server) =>
    uploadOnce(uploader, { server, path: '/', token: 'none', thumbnailBytes }, uploads)
  const ofService = () =>
    uploadOnce(
      uploader,
      { server: service, path: uploadPath(gallery), token: gallery.apiToken, thumbnailBytes },
      uploads,
    )
  const both = await measurePairs(
    plan.pairs,
    async () => ({ plain: await ofLimit(limit), hashed: await ofLimit(hashing) }),
    async () => {
      const run = await ofService()
      return { plain: run, hashed: run }
    },
  )
  const of = (kind: 'plain' | 'hashed') =>
    both.map((pair) => ({ limit: pair.limit[kind], service: pair.service[kind] }))
  await Promise.all([limit.stop(), hashing.stop(), service.stop()])
  await rm(folder, { recursive: true })
  return { connections, pairs: of('plain'), hashed: of('hashed'), baseline }
}

function printLevels(levels: readonly Level[]): void {
  console.log('  Beside the bare server:')
  printPairs(levels)
  console.log('  Beside the bare server that computes the same hashes:')
  printPairs(levels.map(({ hashed, ...level }) => ({ ...level, pairs: hashed })))
  const rate = median(levels.map(({ baseline }) => baseline.photosPerSecond))
  const cpu = median(levels.map(({ baseline }) => baseline.cpuSecondsPerPhoto))
  console.log(`  sharp alone, 2 at once: ${rate.toFixed(2)} photos/s, ${cpu.toFixed(3)} CPU s/photo`)
}

function printPairs(levels: readonly Pick<Level, 'connections' | 'pairs'>[]): void {
  const rows = [
    ['uploads', 'photos/s', '', '', 'CPU s/photo', '', '<= 1.20', 'written/sent', '<= 1.05', 'peak MB', '<= 400'],
    ['at once', 'limit', 'service', 'ratio', 'limit', 'service', 'ratio', 'limit', 'service', 'limit', 'service'],
  ]
  for (const { connections, pairs } of levels) {
    const rate = medians(pairs, photosPerSecond)
    const cpu = medians(pairs, cpuSeconds)
    const bytes = medians(pairs, writtenPerSent)
    const memory = (side: keyof Pair<UploadRun>) => Math.max(...pairs.map((pair) => pair[side].peakResidentMb))
    rows.push([
      String(connections),
      formatValue(rate.limit, 'x'),
      formatValue(rate.service, 'x'),
      formatValue(median(ratios(pairs, photosPerSecond)), 'x'),
      cpu.limit.toFixed(3),
      cpu.service.toFixed(3),
      formatValue(median(ratios(pairs, cpuSeconds)), 'x'),
      bytes.limit.toFixed(3),
      bytes.service.toFixed(3),
      memory('limit').toFixed(0),
      memory('service').toFixed(0),
    ])
  }
  printTable(rows)
}

function levelFigures({ connections, pairs, hashed }: Level): Figure[] {
  const name = (what: string) => `ingest: ${what}, ${connections} at once`
  return [
    {
      name: name('photos/s'),
      unit: 'x',
      samples: ratios(pairs, photosPerSecond),
      ...(connections > 1 && { target: atLeast(0.95) }),
    },
    {
      name: name('photos/s beside a server that hashes'),
      unit: 'x',
      samples: ratios(hashed, photosPerSecond),
      ...(connections > 1 && { target: atLeast(0.95) }),
    },
    { name: name('CPU per photo'), unit: 'x', samples: ratios(pairs, cpuSeconds), target: atMost(1.2) },
    { name: name('CPU per photo beside a server that hashes'), unit: 'x', samples: ratios(hashed, cpuSeconds) },
    {
      name: name('bytes written per byte sent'),
      unit: 'x',
      samples: pairs.map((pair) => writtenPerSent(pair.service)),
      target: atMost(1.05),
    },
  ]
}
