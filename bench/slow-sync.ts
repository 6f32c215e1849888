/** What guests notice of uploads when every fsync takes 50 ms longer: image times beside uploads, against an idle service. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, printTable, written } from './support/figures.ts'
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
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { startService } from './support/server-process.ts'
import { median, quantile } from './support/statistics.ts'

type Kind = 'thumbnail' | 'photo'
type Window = { times: Record<Kind, number[]>; coresBusy: number[] }

const kinds: readonly Kind[] = ['thumbnail', 'photo']
const picturesServed = 20
const perSecondOfEachKind = 100
const uploadsAtOnce = 4

/** p50 and p99 of thumbnail and photo GETs; the idle windows of the same process are the limit of the busy ones. */
export async function measureSlowSync(plan: Plan): Promise<Figure[]> {
  const library = compileSlowSync(plan.workspace)
  if (library === undefined) return []
  const { port } = await startService(join(plan.workspace, 'slow-sync'), { env: { LD_PRELOAD: library } })
  const reader = startGenerator()
  const uploader = startGenerator()
  const files = await makePictures(plan.workspace, { width: 600, height: 400 }, 4)
  const gallery = await makeGallery(port, await makeApiToken(port))
  const served = Array.from({ length: picturesServed }, (_, index) => files[index % files.length] ?? '')
  const ids = await addPhotos(port, gallery, served)
  const token = await enterGallery(port, gallery)
  const uploadTimes: number[] = []

  const idle = () => readWindow(reader, { port, gallery, ids, token, seconds: plan.quick ? 1.5 : 5 })
  const busy = async () => {
    const job = {
      kind: 'upload',
      port,
      path: uploadPath(gallery),
      token: gallery.apiToken,
      files,
      connections: uploadsAtOnce,
    } as const
    const uploads = uploader.start(job)
    await sleep(500)
    const window = await idle()
    uploadTimes.push(...(await uploads.finish()).timesMs)
    await sleep(500)
    return window
  }
  const pairs = await measurePairs(plan.pairs, idle, busy)
  printTimes(pairs, uploadTimes)
  return kinds.map((kind) => ({
    name: `slow-sync: ${kind} p99, uploading / idle`,
    unit: 'x',
    samples: ratios(pairs, (window) => quantile(window.times[kind], 0.99)),
    target: { bound: 'at most', value: 2 },
  }))
}

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

function printTimes(pairs: readonly Pair<Window>[], uploadTimes: readonly number[]): void {
  const rows = [['GET', 'p50 idle', 'uploading', 'p99 idle', 'uploading', 'p99 ratio', 'target']]
  for (const kind of kinds) {
    const at = (share: number) => (window: Window) => quantile(window.times[kind], share)
    const half = medians(pairs, at(0.5))
    const most = medians(pairs, at(0.99))
    const times = [half.limit, half.service, most.limit, most.service].map((time) => written(time, 'ms'))
    rows.push([kind, ...times, written(median(ratios(pairs, at(0.99))), 'x'), '<= 2.00'])
  }
  printTable(rows)
  const cores = (pairs[0]?.limit.coresBusy ?? []).map((_, core) => {
    const busy = medians(pairs, (window) => window.coresBusy[core] ?? 0)
    return `core ${core} ${(busy.limit * 100).toFixed(0)} % / ${(busy.service * 100).toFixed(0)} %`
  })
  console.log(
    `  busy idle/uploading: ${cores.join(', ')}; uploads: ${uploadTimes.length}, p50 ${written(median(uploadTimes), 'ms')}`,
  )
}

/** Path of the compiled library; undefined, and said, where there is no compiler. */
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
