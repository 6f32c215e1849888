/**
 * Measures the photo lists of the public API, of guests and of operators, in events of 100 to 100,000 photos, a fifth of
 * which have an earlier version.
 */
import { join } from 'node:path'
import { type Connection, openConnection } from './support/connection.ts'
import { type Figure, formatValue, printTable } from './support/figures.ts'
import {
  addPhotos,
  enterGallery,
  feedbackPath,
  type Gallery,
  makeApiToken,
  makeGallery,
  signIn,
  uploadPath,
} from './support/gallery.ts'
import { getRequest } from './support/load-jobs.ts'
import { addMarkRows } from './support/mark-rows.ts'
import { addPhotoRows, addVersionRows, scatterPhotos } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import { bySize, type Plan } from './support/plan.ts'
import { copyEvents, fillEvents, inDatabase } from './support/postgres-rows.ts'
import { startPostgres } from './support/postgres-server.ts'
import { startService } from './support/server-process.ts'
import { median } from './support/statistics.ts'
import { readWholeList, type WholeList } from './support/whole-list.ts'

/** `behind`: the page after the middle page, requested by a cursor; the first page if the middle page is the last. */
type Page = 'first' | 'middle' | 'last' | 'behind'
/** `isAll`: the figure is a ratio to a smaller event, not a time. By default true for an empty query. */
type ListCase = {
  name: string
  query: string
  page: Page
  by?: 'guest' | 'operator' | 'outline'
  isAll?: boolean
  maxMs?: number
}
type Reader = { path: string; token: string }
/** `photos` is the size of the event. `timesMs` has one median for each round. */
type MeasuredCase = { listCase: ListCase; photos: number; request: string; timesMs: number[] }

const sizes = { full: [100, 1_000, 10_000, 100_000], quick: [100, 1_000, 10_000, 100_000], smallest: [100, 1_000] }
/** Figures compare the last of the sizes with this one. */
const few = 1_000

const twoFilters = 'color_labels=red&my_min_rating=4'
const apiCases: readonly ListCase[] = [
  { name: 'all, first page', query: '', page: 'first' },
  { name: 'all, middle page', query: '', page: 'middle' },
  { name: 'all, last page', query: '', page: 'last' },
  { name: 'color_labels=red', query: 'color_labels=red', page: 'first' },
  { name: 'my_color_labels=red', query: 'my_color_labels=red', page: 'first' },
  { name: 'min_rating=4', query: 'min_rating=4', page: 'first' },
  { name: 'my_min_rating=4', query: 'my_min_rating=4', page: 'first' },
  { name: 'marked_only, client', query: 'marked_only=true&mark_source=client', page: 'first' },
  { name: 'marked_only, mine', query: 'marked_only=true&mark_source=mine', page: 'first' },
  { name: 'marked_only, either', query: 'marked_only=true', page: 'first' },
  { name: 'marked_only, either, last page', query: 'marked_only=true', page: 'last' },
  { name: 'two filters with AND', query: twoFilters, page: 'first' },
  { name: 'two filters with OR', query: `${twoFilters}&logic=OR`, page: 'first' },
  { name: 'two filters with OR, last page', query: `${twoFilters}&logic=OR`, page: 'last' },
]

const pages = ['first', 'middle', 'last'] as const
const sorts = ['upload_date_desc', 'capture_date_asc', 'filename_asc', 'size_desc', 'rating_desc']
const guestFilters: Array<[string, string]> = [
  ['own likes', 'filter=liked'],
  ['a category', 'category_id=1'],
  ['a category by name', 'category_id=1&sort=filename'],
  ['images', 'media_type=image'],
  ['images, by name', 'media_type=image&sort=filename'],
  ['a search that finds all', 'search=IMG'],
  ['a search that finds all, by name', 'search=IMG&sort=filename'],
  ['a search that finds few', 'search=img_777'],
  ['a search that finds nothing', 'search=nowhere'],
  ['a search in a category by capture time', 'search=img_7&category_id=1&sort=capture_date'],
]
const guestCases: readonly ListCase[] = [
  ...sorts.flatMap((sort) =>
    pages.map((page) => ({
      name: `guest, ${sort}, ${page} page`,
      query: `sort=${sort}`,
      page,
      by: 'guest' as const,
      isAll: true,
    })),
  ),
  ...guestFilters.flatMap(([name, query]) =>
    (['first', 'middle'] as const).map((page) => ({
      name: `guest, ${name}, ${page} page`,
      query,
      page,
      by: 'guest' as const,
    })),
  ),
  ...(['first', 'middle'] as const).map((page) => ({
    name: `guest, outline of up to 10,000, ${page} page`,
    query: '',
    page,
    by: 'outline' as const,
    isAll: false,
    maxMs: 250,
  })),
]

const gridFilters: Array<[string, string]> = [
  ['stars or a colour', 'min_rating=4&color_label=red&logic=OR'],
  ['stars in a category, by size', 'min_rating=4&category_id=1&sort=size'],
  ['a search that finds all, by name', 'search=IMG&sort=name'],
]
const gridCases: readonly ListCase[] = [
  ...['date', 'name', 'size', 'rating'].flatMap((sort) =>
    (['first', 'last', 'behind'] as const).map((page) => ({
      name: `operator, ${sort}, ${page === 'behind' ? 'behind a cursor' : `${page} page`}`,
      query: `sort=${sort}&limit=50`,
      page,
      by: 'operator' as const,
      isAll: true,
    })),
  ),
  ...gridFilters.map(([name, query]) => ({
    name: `operator, ${name}`,
    query: `${query}&limit=50`,
    page: 'behind' as const,
    by: 'operator' as const,
  })),
]
const allCases = [...apiCases, ...guestCases, ...gridCases]

export async function measureLists(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'lists')
  const galleries = await makeGalleries(plan, dataDir)
  const file = join(dataDir, 'proofroom.db')
  for (const [photos, { id }] of galleries) {
    addPhotoRows(file, photos - 1, id)
    addMarkRows(file, id)
    scatterPhotos(file, id)
    addVersionRows(file, id)
  }
  const figures = await measurePages(plan, dataDir, galleries)
  return [...figures, ...(await measureWhole(plan, dataDir, galleries))]
}

export async function measurePostgresLists(plan: Plan): Promise<Figure[]> {
  const server = await startPostgres()
  const env = { DATABASE_URL: server.url }
  try {
    const dataDir = join(plan.workspace, 'lists-postgres')
    const galleries = await makeGalleries(plan, dataDir, env)
    const copies = bySize(plan, { full: 996, quick: 996, smallest: 2 })
    await inDatabase(server.url, async (client) => {
      for (const [photos, { id }] of galleries) await fillEvents(client, [id], photos - 1)
      const others = await copyEvents(client, galleries.get(few)?.id ?? 0, copies)
      for (let start = 0; start < others.length; start += 50) {
        await fillEvents(
          client,
          others.slice(start, start + 50),
          bySize(plan, { full: 1_900, quick: 1_900, smallest: 10 }),
        )
      }
      await client.query('vacuum analyze')
      const { rows } = await client.query('select count(*) as photos from photos')
      console.log(`  ${Number(rows[0].photos).toLocaleString('en')} photos in ${galleries.size + copies} events`)
    })
    return await measurePages(plan, dataDir, galleries, env)
  } finally {
    await server.stop()
  }
}

/** Each round covers all event sizes, so that a disturbance of the machine affects all of them. */
async function measurePages(
  plan: Plan,
  dataDir: string,
  galleries: Map<number, Gallery>,
  env: Record<string, string> = {},
): Promise<Figure[]> {
  const service = await startService(dataDir, { env })
  const connection = await openConnection(service.port)
  const measuredCases: MeasuredCase[] = []
  const guests = await enterAll(service.port, galleries)
  const session = await signIn(service.port)
  for (const listCase of allCases) {
    for (const [photos, gallery] of galleries) {
      const guest = { path: `/api/gallery/${gallery.slug}/photos`, token: guests.get(photos) ?? '' }
      const operator = { path: gridPath(gallery), token: session }
      const byToken = { path: uploadPath(gallery), token: gallery.apiToken }
      const outline = { ...guest, path: `/api/gallery/${gallery.slug}/outline` }
      const reader = listCase.by ? { guest, operator, outline }[listCase.by] : byToken
      measuredCases.push({
        listCase,
        photos,
        request: await createRequest(service.port, reader, listCase),
        timesMs: [],
      })
    }
  }
  const requests = bySize(plan, { full: 10, quick: 10, smallest: 1 })
  for (const { request } of measuredCases) await measureMedianMs(connection, request, requests)
  for (let round = 0; round < plan.pairs; round++) {
    for (const { request, timesMs } of measuredCases) timesMs.push(await measureMedianMs(connection, request, requests))
  }
  connection.close()
  await service.stop()

  printTimes(measuredCases)
  return allCases.map((listCase) => createFigure(listCase, measuredCases))
}

/** Reads all photos in one response, at full speed and at 4 MB per second. */
async function measureWhole(plan: Plan, dataDir: string, galleries: Map<number, Gallery>): Promise<Figure[]> {
  const [many, gallery] = [...galleries].at(-1) ?? []
  if (!gallery || !many) return []
  const reads: Array<Record<'fast' | 'slow', WholeList>> = []
  const readOnce = async (bytesPerSecond?: number): Promise<WholeList> => {
    const service = await startService(dataDir)
    const session = await signIn(service.port)
    // The first list fills the caches, so that only the reading of the long list is measured.
    await fetch(`http://127.0.0.1:${service.port}${gridPath(gallery)}?limit=1000`, {
      headers: { Authorization: `Bearer ${session}` },
    }).then((answer) => answer.arrayBuffer())
    const whole = await readWholeList(service, gridPath(gallery), session, bytesPerSecond)
    await service.stop()
    return whole
  }
  for (let round = 0; round < Math.min(plan.pairs, 3); round++) {
    reads.push({ fast: await readOnce(), slow: await readOnce(4e6) })
  }
  const name = `lists: operator, all of ${many.toLocaleString('en')} photos`
  const memory = { unit: 'MB', target: { bound: 'at most', value: 64 } } as const
  return [
    { name: `${name}, time`, unit: 'ms', samples: reads.map(({ fast }) => fast.ms) },
    { name: `${name}, memory`, ...memory, samples: reads.map(({ fast }) => fast.grownBytes / 1e6) },
    { name: `${name}, memory with a slow client`, ...memory, samples: reads.map(({ slow }) => slow.grownBytes / 1e6) },
  ]
}

const gridPath = ({ id }: Gallery): string => `/api/admin/photos/${id}/photos`

/**
 * Returns the times in the largest event, or with `isAll` their ratios to the times in the event of 1,000 photos.
 */
function createFigure(listCase: ListCase, measuredCases: readonly MeasuredCase[]): Figure {
  const timesOfSize = (photos: number) =>
    measuredCases.find((one) => one.listCase === listCase && one.photos === photos)?.timesMs ?? []
  const many = measuredCases.at(-1)?.photos ?? 0
  const large = timesOfSize(many)
  const name = `lists: ${listCase.name}, ${many.toLocaleString('en')} photos`
  const isAll = listCase.isAll ?? listCase.query === ''
  if (!isAll)
    return {
      name,
      unit: 'ms',
      samples: large,
      target: { bound: 'at most', value: listCase.maxMs ?? (listCase.query.includes('search=') ? 100 : 40) },
    }
  return {
    name: `${name} / ${few.toLocaleString('en')}`,
    unit: 'x',
    samples: large.map((ms, round) => ms / (timesOfSize(few)[round] ?? Number.NaN)),
    target: { bound: 'at most', value: 3 },
  }
}

function printTimes(measuredCases: readonly MeasuredCase[]): void {
  const header = ['50 photos of', ...new Set(measuredCases.map(({ photos }) => photos.toLocaleString('en')))]
  const rows = allCases.map((listCase) => [
    listCase.name,
    ...measuredCases
      .filter((one) => one.listCase === listCase)
      .map(({ timesMs }) => formatValue(median(timesMs), 'ms')),
  ])
  printTable([header, ...rows])
}

async function measureMedianMs(connection: Connection, request: string, count: number): Promise<number> {
  const timesMs: number[] = []
  while (timesMs.length < count) {
    const begin = performance.now()
    const status = await connection.sendRequest(request)
    timesMs.push(performance.now() - begin)
    if (status !== 200) throw new Error(`a list answers ${status}: ${request}`)
  }
  return median(timesMs)
}

/**
 * Returns the request for a page. Throws when the list is rejected, or is empty in an event of more than 1,000 photos.
 * In a case with `nothing` in its name, an empty list is not an error.
 */
async function createRequest(port: number, reader: Reader, { name, query, page }: ListCase): Promise<string> {
  const path = `${reader.path}?${query}`
  const headers = { Authorization: `Bearer ${reader.token}` }
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const { pagination } = (await reply.json()) as { pagination: { pages: number; total: number } }
  const canBeEmpty = name.includes('nothing')
  if (!reply.ok || (pagination.pages === 0 && pagination.total > few && !canBeEmpty))
    throw new Error(`${name} finds nothing`)
  if (page === 'behind') {
    const middle = Math.ceil(pagination.pages / 2) || 1
    const one = await fetch(`http://127.0.0.1:${port}${path}&page=${middle}`, { headers })
    const { pagination: place } = (await one.json()) as { pagination: { next: string | null } }
    return getRequest(port, place.next === null ? path : `${path}&after=${place.next}`, headers)
  }
  const number = { first: 1, middle: Math.ceil(pagination.pages / 2) || 1, last: pagination.pages || 1 }[page]
  return getRequest(port, `${path}&page=${number}`, headers)
}

/** Enters each gallery as a guest who likes the first 80 photos. Returns the tokens by the size of the event. */
async function enterAll(port: number, galleries: Map<number, Gallery>): Promise<Map<number, string>> {
  const guests = new Map<number, string>()
  for (const [photos, gallery] of galleries) {
    const token = await enterGallery(port, gallery)
    guests.set(photos, token)
    const headers = { Authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const base = `http://127.0.0.1:${port}`
    const list = await fetch(`${base}/api/gallery/${gallery.slug}/photos?limit=80`, { headers })
    const { photos: shown } = (await list.json()) as { photos: Array<{ id: number }> }
    for (const { id } of shown) {
      const body = JSON.stringify({ feedback_type: 'like' })
      const answer = await fetch(base + feedbackPath(gallery, id), { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`a like answers ${answer.status}`)
    }
  }
  return guests
}

/**
 * For each event size, creates a gallery with one photo. The calling functions add the other photos as copies of the
 * row of this photo.
 */
async function makeGalleries(
  plan: Plan,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Map<number, Gallery>> {
  const service = await startService(dataDir, { env })
  const token = await makeApiToken(service.port)
  const pictures = await makePictures(plan.workspace, { width: 600, height: 400 }, 1)
  const galleries = new Map<number, Gallery>()
  for (const photos of bySize(plan, sizes)) {
    const gallery = await makeGallery(service.port, token)
    await addPhotos(service.port, gallery, pictures)
    galleries.set(photos, gallery)
  }
  await service.stop()
  return galleries
}
