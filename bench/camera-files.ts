/** HEIC and RAW files: their conversion, their ingest, the memory that it takes, and damaged ones. */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRawPicture } from '../server/platform/media/raw/find-raw-picture.ts'
import { writeRawStill } from '../server/platform/media/raw/write-raw-still.ts'
import { withReadAt } from '../server/platform/media/read-at.ts'
import { phonePicture } from '../tests/support/media/heic-files.ts'
import { createRawFile, rawLayouts } from '../tests/support/media/raw-files.ts'
import { noisyPicture } from '../tools/sample-pictures.ts'
import { spawnNode } from './support/children.ts'
import { type Figure, printTable } from './support/figures.ts'
import { makeApiToken, makeGallery, sendJson, signIn, uploadPath } from './support/gallery.ts'
import { startGenerator } from './support/load-generator.ts'
import { measurePairs, ratios } from './support/pairs.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readMainThreadMs, waitUntilQuiet, watchLargestChild } from './support/process-tree.ts'
import { startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'
import { type UploadTarget, uploadOnce } from './support/upload-runs.ts'

const atMost = (value: number) => ({ bound: 'at most', value }) as const

export async function measureCameraFiles(plan: Plan): Promise<Figure[]> {
  const folder = join(plan.workspace, 'camera-files')
  await mkdir(folder, { recursive: true })
  const picture = bySize(plan, { full: phonePicture(), quick: phonePicture(), smallest: phonePicture(2, 2) })
  const path = join(folder, 'phone.heic')
  await writeFile(path, picture)
  return [
    ...(await measureConversion(plan, path)),
    ...(await measureHeicIngest(plan, folder, path)),
    ...(await measureRaw(plan, folder)),
  ]
}

/** Each picture is decoded in a separate process, as in the service. */
async function measureConversion(plan: Plan, path: string): Promise<Figure[]> {
  const pairs = await measurePairs(
    plan.pairs,
    () => runLimit([path]),
    () => runLimit([path, 'picture']),
  )
  const samples = ratios(pairs, (seconds) => seconds)
  return [{ name: 'HEIC: CPU of decoding and conversion beside decoding', unit: 'x', samples, target: atMost(2.5) }]
}

async function runLimit(args: readonly string[]): Promise<number> {
  const child = spawnNode([join(import.meta.dirname, 'limits/heic.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Number(Buffer.concat((await child.stdout?.toArray()) ?? []).toString())
}

async function measureHeicIngest(plan: Plan, folder: string, path: string): Promise<Figure[]> {
  const service = await startService(join(folder, 'service'))
  const token = await makeApiToken(service.port)
  const types = { general_allowed_file_types: 'jpg,jpeg,png,webp,heic,cr2,cr3,nef,arw,raf,orf,rw2,dng,pef' }
  await sendJson(service.port, 'PUT', '/api/admin/settings', types, await signIn(service.port))
  const target = { server: service, path: uploadPath(await makeGallery(service.port, token)), token, thumbnailBytes: 0 }
  const uploader = startGenerator()
  const files = [path]
  const workerPeak = watchLargestChild(service.pid)
  const seconds: number[] = []
  // The first upload starts the workers and is not counted.
  for (let round = -1; round < plan.pairs; round++) {
    const run = await uploadOnce(uploader, target, { files, connections: 1, count: 1 })
    if (round >= 0) seconds.push(run.cpuSecondsPerPhoto)
  }
  const workerMb = workerPeak() / 1e6
  const count = bySize(plan, { full: 50, quick: 12, smallest: 4 })
  const together = await uploadOnce(uploader, target, { files, connections: 4, count })
  const hostileMs = await measureDamaged(plan, target)
  await service.stop()
  return [
    { name: 'HEIC: CPU of an upload', unit: 's', samples: seconds, target: atMost(1) },
    { name: 'HEIC: peak memory of one worker', unit: 'MB', samples: [workerMb], target: atMost(250) },
    {
      name: `HEIC: peak memory of all, ${count} uploads, 4 at once`,
      unit: 'MB',
      samples: [together.peakResidentMb],
      target: atMost(400),
    },
    {
      name: 'HEIC and RAW: longest callback for a damaged file, at most',
      unit: 'ms',
      samples: [hostileMs],
      target: atMost(50),
    },
  ]
}

/** Returns the CPU time of the main thread for the upload of a damaged file that takes the most. */
async function measureDamaged(plan: Plan, { server, path, token }: UploadTarget): Promise<number> {
  const files = [phonePicture(2, 2), ...(await Promise.all(rawLayouts.map((layout) => createRawFile(layout))))]
  const times: number[] = []
  for (let round = -1; round < bySize(plan, { full: 10, quick: 3, smallest: 1 }); round++) {
    for (const [index, file] of files.entries()) {
      const form = new FormData()
      form.append('photo', new File([damage(file, round * files.length + index)], 'damaged.raw', { type: 'image/raw' }))
      await waitUntilQuiet(server.pid)
      const before = readMainThreadMs(server.pid)
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body: form, headers })
      await response.arrayBuffer()
      if (round >= 0) times.push(readMainThreadMs(server.pid) - before)
    }
  }
  return Math.max(...times)
}

/** Returns a copy with other bytes at eight places of its first kilobytes, which describe the rest. */
function damage(file: Buffer<ArrayBuffer>, seed: number): Buffer<ArrayBuffer> {
  const copy = Buffer.from(file)
  for (let change = 1; change <= 8; change++) {
    const hash = Math.imul(seed * 8 + change, 0x9e3779b1) >>> 0
    copy[hash % Math.min(copy.length, 4096)] = hash >>> 24
  }
  return copy
}

/** Finds the picture in a file of each form. It is then written to a separate file, with other metadata. */
async function measureRaw(plan: Plan, folder: string): Promise<Figure[]> {
  const size = bySize(plan, { full: [6000, 4000], quick: [6000, 4000], smallest: [600, 400] })
  const picture = await noisyPicture({ width: size[0] ?? 0, height: size[1] ?? 0, seed: 1 })
  const rows: string[][] = []
  const samples: number[] = []
  for (const layout of rawLayouts) {
    const path = join(folder, 'file.raw')
    await writeFile(path, await createRawFile(layout, { picture }))
    const { size: sizeBytes } = await stat(path)
    const found = await medianOf(plan, () => withReadAt(path, (read) => findRawPicture(read, sizeBytes, layout.kind)))
    const written = await medianOf(plan, () => writeRawStill(path, layout.kind, join(folder, 'still.jpg')))
    samples.push(found)
    rows.push([`${layout.kind}, ${layout.layout}`, found.toFixed(1), written.toFixed(1)])
  }
  printTable([['the picture of a RAW file, ms', 'found', 'found and written'], ...rows])
  const name = 'RAW: time until the picture is found, of the slowest form'
  return [{ name, unit: 'ms', samples: [Math.max(...samples)], target: atMost(30) }]
}

/** Returns the median time in milliseconds. The first run is not counted. */
async function medianOf(plan: Plan, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= plan.pairs; round++) {
    const begin = performance.now()
    await run()
    times.push(performance.now() - begin)
  }
  return median(times.slice(1))
}
