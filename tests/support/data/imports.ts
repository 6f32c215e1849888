import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect } from 'vitest'
import type { HealthItem } from '../../../contract/health.ts'
import type { PhotoRecord } from '../../../contract/photos.ts'
import type { ContextOverrides } from '../../../server/create-app-context.ts'
import { readDatabase } from '../database/service-database.ts'
import { serviceForTest, type TestService } from '../service/test-service.ts'

/** For `expect.poll`. An import scan can start late on a busy machine. */
export const importTimeout = { timeout: 15_000 }

/** Import scans follow each other almost without a pause. */
export const eagerImports: ContextOverrides = { importEveryMs: 40 }

export const startImportingService = (environment: Record<string, string> = {}) =>
  serviceForTest({ edges: eagerImports, environment })

export const importDir = ({ dataDir }: Pick<TestService, 'dataDir'>): string => join(dataDir, 'import')

/** Writes a file below the import folder under a temporary name and then renames it, as careful programs do. */
export async function addImportFile(
  service: Pick<TestService, 'dataDir'>,
  path: string,
  bytes: Uint8Array,
): Promise<string> {
  const target = join(importDir(service), path)
  await mkdir(dirname(target), { recursive: true })
  const unfinished = join(dirname(target), '.on-its-way')
  await writeFile(unfinished, bytes)
  await rename(unfinished, target)
  return target
}

/** Returns all files below the import folder, including imported and rejected ones. */
export async function listImportFiles(service: Pick<TestService, 'dataDir'>): Promise<string[]> {
  const root = importDir(service)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

export async function loadPhotos({ api }: Pick<TestService, 'api'>, eventId: number): Promise<PhotoRecord[]> {
  return (await api.get(`/api/v1/events/${eventId}/photos?limit=100`)).body.photos
}

type ImportPlace = {
  put: (path: string, bytes: Uint8Array) => Promise<unknown>
  remove: (path: string) => Promise<unknown>
  /** Files appear there complete, so the first scan imports them. */
  isAtomic: boolean
}

const createFolderPlace = (service: TestService): ImportPlace => ({
  put: (path, bytes) => addImportFile(service, path, bytes),
  remove: (path) => rm(join(importDir(service), dirname(path)), { recursive: true }),
  isAtomic: false,
})

/** Waits until the event has exactly `count` photos whose files are moved away, also after more scans. */
export async function waitForImports(
  service: TestService,
  eventId: number,
  count: number,
  place = createFolderPlace(service),
): Promise<PhotoRecord[]> {
  await expect.poll(async () => (await loadPhotos(service, eventId)).length, importTimeout).toBe(count)
  await expect.poll(() => listNotMovedAway(service, eventId), importTimeout).toEqual([])
  await waitForScans(service, place)
  const photos = await loadPhotos(service, eventId)
  expect(photos).toHaveLength(count)
  return photos
}

const listNotMovedAway = (service: TestService, eventId: number): unknown[] =>
  readDatabase(service, (stored) =>
    stored
      .prepare('select path from imported_files where event_id = ? and problem is null and is_kept = 0')
      .all(eventId),
  )

let lastUnknown = 0

/**
 * Waits until scans that start after this call have imported every complete file. A scan reports a file without an
 * event; a later scan no longer reports it after its removal. A file that is still being written is imported by the
 * second scan at the earliest.
 */
export async function waitForScans(service: TestService, place = createFolderPlace(service)): Promise<void> {
  const slug = `nobody-${++lastUnknown}`
  const isReported = async () => (await loadImportHealth(service)).text.includes(slug)
  await place.put(`${slug}/a.jpg`, Buffer.from('a'))
  await expect.poll(isReported, importTimeout).toBe(true)
  await place.remove(`${slug}/a.jpg`)
  if (!place.isAtomic) await expect.poll(isReported, importTimeout).toBe(false)
}

export async function loadImportHealth({ admin }: TestService): Promise<HealthItem> {
  const { body } = await admin.get('/api/admin/health')
  return body.items.find(({ key }: HealthItem) => key === 'imports')
}
