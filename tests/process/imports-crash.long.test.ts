import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { addImportFile, listImportFiles, loadPhotos } from '../support/fixtures/imports.ts'
import { jpeg } from '../support/media/pictures.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { computeTreeHash } from '../support/uploads/chunked-versions.ts'

const files = 60
const kills = 2

test('a service that is killed repeatedly during imports imports every file once', async () => {
  const service = await startKillableService()
  const { id, slug } = await createEvent(service.api())
  const brought = new Map<string, string>()
  for (let seed = 1; seed <= files; seed++) {
    const bytes = await jpeg({ seed, width: 300, height: 200 + seed })
    await addImportFile(service.stored, `${slug}/${seed}.jpg`, bytes)
    brought.set(computeTreeHash(bytes), `${seed}.jpg`)
  }

  const count = async () => (await loadPhotos({ api: service.api() }, id)).length
  for (let kill = 1; kill <= kills; kill++) {
    const before = await count()
    await expect.poll(count, { interval: 20 }).toBeGreaterThan(before)
    // Restarts at a random moment of the next import.
    await sleep(Math.random() * 150)
    await service.restart()
  }
  await expect.poll(count).toBe(files)
  await expect
    .poll(async () => (await listImportFiles(service.stored)).filter((path) => path.startsWith(slug)))
    .toEqual([])

  const photos = await loadPhotos({ api: service.api() }, id)
  expect(new Map(photos.map((photo) => [photo.content_hash, photo.original_filename]))).toEqual(brought)
  expect(await listImportFiles(service.stored)).toHaveLength(files)
  const countRows = () =>
    readDatabase(service.stored, (stored) => stored.prepare('select count(*) from imported_files').pluck().get())
  await expect.poll(countRows).toBe(0)
  for (const photo of photos) {
    const { status, bytes } = await service.api().get(`/api/v1/events/${id}/photos/${photo.id}/download`)
    expect([status, bytes.length]).toEqual([200, photo.size_bytes])
  }
}, 240_000)
