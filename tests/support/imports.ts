import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect } from 'vitest'
import type { HealthItem } from '../../contract/health.ts'
import type { PhotoRecord } from '../../contract/photos.ts'
import type { Edges } from '../../server/create-app-context.ts'
import { inDatabase } from './stored.ts'
import { serviceForTest, type TestService } from './test-service.ts'

/** For `expect.poll`: looks wait for their turn on a busy machine. */
export const soon = { timeout: 15_000 }

/** A look follows a look at once. */
export const lookingEagerly: Edges = { importEveryMs: 40 }

export const importingService = (environment: Record<string, string> = {}) =>
  serviceForTest({ edges: lookingEagerly, environment })

export const importDir = ({ dataDir }: Pick<TestService, 'dataDir'>): string => join(dataDir, 'import')

/** Puts a file below the import folder as a program does that takes care: under another name first. */
export async function bring(service: Pick<TestService, 'dataDir'>, path: string, bytes: Uint8Array): Promise<string> {
  const target = join(importDir(service), path)
  await mkdir(dirname(target), { recursive: true })
  const unfinished = join(dirname(target), '.on-its-way')
  await writeFile(unfinished, bytes)
  await rename(unfinished, target)
  return target
}

/** What stands below the import folder, that of taken and refused ones included. */
export async function standing(service: Pick<TestService, 'dataDir'>): Promise<string[]> {
  const root = importDir(service)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

export async function photosOf({ api }: Pick<TestService, 'api'>, eventId: number): Promise<PhotoRecord[]> {
  return (await api.get(`/api/v1/events/${eventId}/photos?limit=100`)).body.photos
}

/** Where files are brought to, and where they can be taken away again. */
type ImportPlace = {
  put: (path: string, bytes: Uint8Array) => Promise<unknown>
  remove: (path: string) => Promise<unknown>
  /** Whether files appear there as a whole, so that the first look takes them. */
  isAtomic: boolean
}

const folderOf = (service: TestService): ImportPlace => ({
  put: (path, bytes) => bring(service, path, bytes),
  remove: (path) => rm(join(importDir(service), dirname(path)), { recursive: true }),
  isAtomic: false,
})

/** Waits until the event has so many photos whose files are put away, and for further looks: there must be no more. */
export async function imported(
  service: TestService,
  eventId: number,
  count: number,
  place = folderOf(service),
): Promise<PhotoRecord[]> {
  await expect.poll(async () => (await photosOf(service, eventId)).length, soon).toBe(count)
  await expect.poll(() => notPutAway(service, eventId), soon).toEqual([])
  await severalLooks(service, place)
  const photos = await photosOf(service, eventId)
  expect(photos).toHaveLength(count)
  return photos
}

/** Of which a photo has been made and which stand where they were brought to all the same. */
const notPutAway = (service: TestService, eventId: number): unknown[] =>
  inDatabase(service, (stored) =>
    stored
      .prepare('select path from imported_files where event_id = ? and problem is null and is_kept = 0')
      .all(eventId),
  )

let lastStray = 0

/**
 * Waits until looks after the call have taken what was complete then. A look reports a file of no event, and a later one
 * no longer once it has been removed; a file that is still being written is taken by the second look at the soonest.
 */
export async function severalLooks(service: TestService, place = folderOf(service)): Promise<void> {
  const slug = `nobody-${++lastStray}`
  const isReported = async () => (await importHealth(service)).text.includes(slug)
  await place.put(`${slug}/a.jpg`, Buffer.from('a'))
  await expect.poll(isReported, soon).toBe(true)
  await place.remove(`${slug}/a.jpg`)
  if (!place.isAtomic) await expect.poll(isReported, soon).toBe(false)
}

export async function importHealth({ admin }: TestService): Promise<HealthItem> {
  const { body } = await admin.get('/api/admin/health')
  return body.items.find(({ key }: HealthItem) => key === 'imports')
}
