/** CPU time of the service's main thread for one hostile body of a guest. No callback takes longer than its request. */
import { join } from 'node:path'
import { openConnection } from './support/connection.ts'
import { type Figure, printTable } from './support/figures.ts'
import { enterGallery, feedbackPath, makeApiToken, makeGallery } from './support/gallery.ts'
import { postRequest } from './support/load-jobs.ts'
import type { Plan } from './support/plan.ts'
import { readMainThreadMs, waitUntilQuiet } from './support/process-tree.ts'
import { startService } from './support/server-process.ts'

const kilobyte = 1024
const repeat = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Each nearly as long as the limit of its route. */
const texts: Record<string, (bytes: number) => unknown> = {
  'combining marks': (bytes) => `a${repeat('\u0301\u0316', bytes)}`,
  '30 combining marks after each letter': (bytes) => repeat(`a${'\u0301\u0316'.repeat(15)}`, bytes),
  spaces: (bytes) => `${repeat(' ', bytes)}x`,
  'empty objects': (bytes) => Array.from({ length: bytes / 3 }, () => ({})),
  'nested lists': (bytes) => Array.from({ length: Math.min(2_000, bytes / 2) }).reduce((inner) => [inner], []),
}

export async function measureHostileBodies(plan: Plan): Promise<Figure[]> {
  const service = await startService(join(plan.workspace, 'hostile-bodies'))
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  const headers = { Authorization: `Bearer ${await enterGallery(service.port, gallery)}` }
  const base = `/api/gallery/${gallery.slug}`
  const bodies: Array<[path: string, body: (value: unknown) => object, kilobytes: number]> = [
    [feedbackPath(gallery, 1), (comment_text) => ({ feedback_type: 'comment', comment_text }), 60],
    [`${base}/download-selected`, (x) => ({ photo_ids: [1], x }), 118],
    [`${base}/download-selected`, (photo_ids) => ({ photo_ids }), 118],
    ['/api/auth/gallery/logout', (x) => ({ x }), 15],
  ]
  const connection = await openConnection(service.port)
  const rows: string[][] = []
  const longest: number[] = []
  for (const [path, createBody, kilobytes] of bodies) {
    for (const [name, createText] of Object.entries(texts)) {
      const body = createBody(createText(kilobytes * kilobyte))
      const request = postRequest(service.port, path, body, headers)
      const samples: number[] = []
      // The first request compiles the validator, so it is not counted.
      for (let round = -1; round < plan.pairs; round++) {
        await waitUntilQuiet(service.pid)
        const before = readMainThreadMs(service.pid)
        await connection.sendRequest(request)
        if (round >= 0) samples.push(readMainThreadMs(service.pid) - before)
      }
      longest.push(Math.max(...samples))
      rows.push([`${Object.keys(body).at(-1)}: ${name}, ${kilobytes} KB`, Math.max(...samples).toFixed(1)])
    }
  }
  connection.close()
  await service.stop()
  printTable([['longest CPU ms of the main thread', ''], ...rows])
  const target = { bound: 'at most', value: 50 } as const
  return [
    { name: 'hostile bodies: the longest callback, at most', unit: 'ms', samples: [Math.max(...longest)], target },
  ]
}
