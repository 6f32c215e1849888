/** A thousand guests mark the same photos: first at a constant rate, then all at the same instant. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import {
  addPhotos,
  enterGallery,
  feedbackPath,
  type Gallery,
  makeApiToken,
  makeGallery,
  signIn,
} from './support/gallery.ts'
import { startGenerator } from './support/load-generator.ts'
import { type Outcome, postRequest } from './support/load-jobs.ts'
import { addPhotoRows, addVersionRows, photoIds } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { readTree } from './support/process-tree.ts'
import { type Server, startService } from './support/server-process.ts'
import { quantile } from './support/statistics.ts'

const photoCount = 100
const secondsBetweenMarks = 5
const scattered = 37
const allAtOnce = 1e9

/**
 * Throws for a failed request, for a counter that differs from a recount, and for a mark missing in the live stream.
 */
export async function measureMarks(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'marks')
  const guestCount = bySize(plan, { full: 1_000, quick: 1_000, smallest: 10 })
  const { gallery, service, createRequest } = await openGallery(plan, dataDir, guestCount)
  const receivedMarks = await watchEvent(service.port, gallery)
  const generator = startGenerator()
  const send = (marks: number, from: number, perSecond: number): Promise<Outcome> => {
    const requests = Array.from({ length: marks }, (_, index) => createRequest(from + index))
    const job = { kind: 'paced', port: service.port, requests, repeats: false, perSecond, status: 200 } as const
    return generator.run({ ...job, connections: guestCount })
  }

  const minute = guestCount * bySize(plan, { full: 60 / secondsBetweenMarks, quick: 2, smallest: 1 })
  const before = readTree(service.pid).cpuSeconds
  const paced = await send(minute, 0, guestCount / secondsBetweenMarks)
  const cpuShare = (readTree(service.pid).cpuSeconds - before) / paced.seconds
  assertCounters(dataDir)
  const burst = await send(guestCount, minute, allAtOnce)
  assertCounters(dataDir)
  await receivedMarks(minute + guestCount)
  await service.stop()

  const p99 = quantile(paced.timesMs, 0.99)
  printTable([
    ['marks', 'answered', 'median', 'p99', 'slowest', 'cores'],
    [`${guestCount} guests, every ${secondsBetweenMarks} s`, ...formatTimes(paced), cpuShare.toFixed(2)],
    [`${guestCount} in one instant`, ...formatTimes(burst), ''],
  ])
  return [
    { name: 'marks: paced, p99', unit: 'ms', samples: [p99], target: { bound: 'at most', value: 250 } },
    {
      name: `marks: ${guestCount} in one instant, the last answer`,
      unit: 'ms',
      samples: [Math.max(...burst.timesMs)],
      target: { bound: 'at most', value: 5_000 },
    },
  ]
}

const formatTimes = ({ answers, timesMs }: Outcome): string[] => [
  String(answers),
  formatValue(quantile(timesMs, 0.5), 'ms'),
  formatValue(quantile(timesMs, 0.99), 'ms'),
  formatValue(Math.max(...timesMs), 'ms'),
]

type MarkedGallery = { gallery: Gallery; service: Server; createRequest: (index: number) => string }

/** Starts a service with a gallery of 100 photos and `guests` guests. One photo is uploaded; the others copy its row. */
async function openGallery(plan: Plan, dataDir: string, guests: number): Promise<MarkedGallery> {
  const first = await startService(dataDir)
  const gallery = await makeGallery(first.port, await makeApiToken(first.port))
  await addPhotos(first.port, gallery, await makePictures(plan.workspace, { width: 600, height: 400 }, 1))
  await first.stop()
  const file = join(dataDir, 'proofroom.db')
  addPhotoRows(file, photoCount - 1, gallery.id)
  addVersionRows(file, gallery.id)
  const photos = photoIds(file, gallery.id)
  const service = await startService(dataDir)
  const tokens: string[] = []
  while (tokens.length < guests) tokens.push(await enterGallery(service.port, gallery))
  return { gallery, service, createRequest: (index) => markRequest(service.port, gallery, photos, tokens, index) }
}

/** Each index gives a different mark. Consecutive indexes belong to different guests and photos. */
function markRequest(port: number, gallery: Gallery, photos: number[], tokens: string[], index: number): string {
  const round = Math.floor(index / tokens.length)
  const photo = photos[(index * scattered + round) % photos.length] ?? 0
  const body = [
    { feedback_type: 'rating', rating: 1 + (index % 5) },
    { feedback_type: 'color_label', color_label: ['red', 'yellow', 'green', 'blue', 'purple'][round % 5] },
    { feedback_type: 'like' },
    { feedback_type: 'favorite' },
    { feedback_type: 'comment', comment_text: `Number ${index}: could this one be a little brighter?` },
  ][(index + round) % 5]
  return postRequest(port, feedbackPath(gallery, photo), body ?? {}, {
    Authorization: `Bearer ${tokens[index % tokens.length]}`,
  })
}

/**
 * Opens the live stream of the event. The promise of the returned function resolves when `count` marks have arrived in
 * total, and rejects if they have not arrived after 10 seconds.
 */
async function watchEvent(port: number, gallery: Gallery): Promise<(count: number) => Promise<void>> {
  const headers = { authorization: `Bearer ${await signIn(port)}` }
  const request = get({ host: '127.0.0.1', port, path: `/api/admin/events/${gallery.id}/live`, headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let receivedMarks = 0
  let expectedMarks = Number.POSITIVE_INFINITY
  const { promise: all, resolve, reject } = Promise.withResolvers<void>()
  answer.setEncoding('utf8').on('data', (text: string) => {
    receivedMarks += text.match(/^event: feedback$/gm)?.length ?? 0
    if (receivedMarks >= expectedMarks) resolve()
  })
  return (count) => {
    expectedMarks = count
    if (receivedMarks >= expectedMarks) resolve()
    setTimeout(() => reject(new Error(`${receivedMarks} of ${expectedMarks} marks were told live`)), 10_000).unref()
    return all.finally(() => answer.destroy())
  }
}

function assertCounters(dataDir: string): void {
  const database = new Database(join(dataDir, 'proofroom.db'), { readonly: true })
  const colors = ['red', 'yellow', 'green', 'blue', 'purple']
  const kinds = ['like', 'favorite', 'comment']
  const counted = [
    'coalesce(sum(rating), 0) AS rating_sum',
    'count(rating) AS rating_count',
    'count(DISTINCT guest_id) AS feedback_count',
    ...colors.map((color) => `count(*) FILTER (WHERE color_label = '${color}') AS ${color}`),
    ...kinds.map((kind) => `count(*) FILTER (WHERE kind = '${kind}') AS ${kind}_count`),
  ]
  const names = counted.map((column) => column.split(' AS ')[1]).join(', ')
  // A photo whose only comment waits for approval has counters of 0 and no visible feedback.
  const differing = database
    .prepare(
      `SELECT photo_id, ${names} FROM photo_marks EXCEPT
       SELECT photo_marks.photo_id, ${counted.join(', ')} FROM photo_marks
       LEFT JOIN feedback ON feedback.photo_id = photo_marks.photo_id AND is_visible = 1 GROUP BY photo_marks.photo_id`,
    )
    .all()
  database.close()
  if (differing.length > 0) throw new Error(`counters that a recount contradicts: ${JSON.stringify(differing[0])}`)
}
