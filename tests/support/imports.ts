import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect } from 'vitest'
import type { HealthItem } from '../../contract/health.ts'
import type { PhotoRecord } from '../../contract/photos.ts'
import type { Edges } from '../../server/open-house.ts'
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

/** Waits until the event has so many photos whose files are put away, and a little longer: there must be no more. */
export async function imported(service: TestService, eventId: number, count: number): Promise<PhotoRecord[]> {
  await expect.poll(async () => (await photosOf(service, eventId)).length, soon).toBe(count)
  await expect.poll(() => notPutAway(service, eventId), soon).toEqual([])
  await severalLooks()
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

/** More than enough for what is complete to be taken. */
export const severalLooks = () => new Promise((resolve) => setTimeout(resolve, 400))

export async function importHealth({ admin }: TestService): Promise<HealthItem> {
  const { body } = await admin.get('/api/admin/health')
  return body.items.find(({ key }: HealthItem) => key === 'imports')
}
