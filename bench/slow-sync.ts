/** Measures the latency of images during uploads when every fsync takes 50 ms longer, compared with an idle service. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, formatValue, printTable, type Target } from './support/figures.ts'
import {
  addPhotos,
  enterGallery,
  type Gallery,
  imagePath,
  makeApiToken,
  makeGallery,
  uploadPath,
} from './support/gallery.ts'
import { type Generator, startGenerator } from './support/load-generator.ts'
import { getRequest } from './support/load-jobs.ts'
import { watchCores } from './support/machine.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { startService } from './support/server-process.ts'
import { median, quantile } from './support/statistics.ts'

type Kind = 'thumbnail' | 'photo'
type Window = { times: Record<Kind, number[]>; coresBusy: number[] }
type Load = { name: string; windows: Window[]; uploads: number; target?: Target }

const kinds: readonly Kind[] = ['thumbnail', 'photo']
const picturesServed = 20
const perSecondOfEachKind = 100

/**
 * Returns the ratio of the p99 latency during uploads to that of idle periods, or nothing if the slow fsync cannot be
 * compiled. Uploads to another instance show the influence of the machine alone.
 */
export async function measureSlowSync(plan: Plan): Promise<Figure[]> {
  const library = compileSlowSync(plan.workspace)
  if (library === undefined) return []
  const open = async (name: string) => {
    const { port } = await startService(join(plan.workspace, name), { env: { LD_PRELOAD: library } })
    return { port, gallery: await makeGallery(port, await makeApiToken(port)) }
  }
  const own = await open('slow-sync')
  const other = await open('slow-sync-elsewhere')
  const reader = startGenerator()
  const uploader = startGenerator()
  const files = await makePictures(plan.workspace, { width: 600, height: 400 }, 4)
  const served = Array.from({ length: picturesServed }, (_, index) => files[index % files.length] ?? '')
  const ids = await addPhotos(own.port, own.gallery, served)
  const token = await enterGallery(own.port, own.gallery)

  const idle = () => readWindow(reader, { ...own, ids, token, seconds: plan.quick ? 1.5 : 5 })
  const busy = async ({ port, gallery }: typeof own, connections: number) => {
    const where = { port, path: uploadPath(gallery), token: gallery.apiToken }
    const uploads = uploader.start({ kind: 'upload', ...where, files, connections })
    await sleep(500)
    const window = await idle()
    const { timesMs } = await uploads.finish()
    await sleep(500)
    return { window, count: timesMs.length }
  }

  const atMostTwice: Target = { bound: 'at most', value: 2 }
  const idleWindows: Window[] = []
  const loads: Array<Load & { run: () => ReturnType<typeof busy> }> = [
    { name: '1 upload at a time', run: () => busy(own, 1), target: atMostTwice, windows: [], uploads: 0 },
    { name: '4 uploads at once', run: () => busy(own, 4), target: atMostTwice, windows: [], uploads: 0 },
    { name: '4 at once elsewhere', run: () => busy(other, 4), windows: [], uploads: 0 },
  ]
  for (let round = 0; round <= plan.pairs; round++) {
    const idleWindow = await idle()
    if (round > 0) idleWindows.push(idleWindow)
    for (const load of loads) {
      const { window, count } = await load.run()
      if (round === 0) continue
      load.windows.push(window)
      load.uploads += count
    }
  }
  printTimes(idleWindows, loads)
  return loads.flatMap(({ name, windows, target }) =>
    kinds.map(
      (kind): Figure => ({
        name: `slow-sync: ${kind} p99, ${name} / idle`,
        unit: 'x',
        samples: windows.map((window, index) => p99(kind)(window) / p99(kind)(idleWindows[index] ?? window)),
        ...(target && { target }),
      }),
    ),
  )
}

const p99 = (kind: Kind) => (window: Window) => quantile(window.times[kind], 0.99)

async function readWindow(
  reader: Generator,
  where: { port: number; gallery: Gallery; ids: readonly number[]; token: string; seconds: number },
): Promise<Window> {
  const { port, gallery, ids, token, seconds } = where
  const coresBusy = watchCores()
  const get = async (kind: Kind) => {
    const requests = ids.map((id) =>
      getRequest(port, imagePath(gallery, kind, id), { Authorization: `Bearer ${token}` }),
    )
    const pace = { perSecond: perSecondOfEachKind, connections: 4, repeats: true, seconds }
    return (await reader.run({ kind: 'paced', port, requests, status: 200, ...pace })).timesMs
  }
  const [thumbnail, photo] = await Promise.all([get('thumbnail'), get('photo')])
  return { times: { thumbnail, photo }, coresBusy: coresBusy() }
}

function printTimes(idleWindows: readonly Window[], loads: readonly Load[]): void {
  const row = (name: string, windows: readonly Window[], uploads: string) => {
    const middle = (value: (window: Window) => number) => median(windows.map(value))
    const times = kinds.flatMap((kind) =>
      [0.5, 0.99].map((share) =>
        formatValue(
          middle((window) => quantile(window.times[kind], share)),
          'ms',
        ),
      ),
    )
    const busy = middle((window) => window.coresBusy.reduce((sum, core) => sum + core, 0) / window.coresBusy.length)
    return [name, ...times, `${(busy * 100).toFixed(0)} %`, uploads]
  }
  printTable([
    ['while', 'thumbnail p50', 'p99', 'photo p50', 'p99', 'cores busy', 'uploads'],
    row('idle', idleWindows, ''),
    ...loads.map(({ name, windows, uploads }) => row(name, windows, String(uploads))),
  ])
}

/** Returns the path of the compiled library, or undefined if it cannot be compiled. */
function compileSlowSync(folder: string): string | undefined {
  const library = join(folder, 'slow-sync.so')
  const source = join(import.meta.dirname, 'slow-sync/slow-sync.c')
  const { status, error, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  if (status === 0) return library
  console.log(
    `  slow-sync did not run: cc cannot compile the slow disk (${(error?.message ?? stderr.toString()).split('\n')[0]})`,
  )
  return undefined
}
