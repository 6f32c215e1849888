import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { VersionList } from '../../contract/gallery/versions.ts'
import { readDatabase } from '../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { sendFiles } from '../support/fixtures/guest-uploads.ts'
import { jpeg } from '../support/media/pictures.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { listStoredFiles } from '../support/storage/stored-files.ts'

const kills = 16

test('kill -9 at any time while a version is added: each row has its file, and no version is lost', async () => {
  const service = await startKillableService()
  const event = await createEvent(service.api(), { keep_versions: true })
  const [photoId = 0] = await uploadPhotos(service.api(), event.id, 1)
  const path = `/api/v1/events/${event.id}/photos/${photoId}/versions`
  const retouch = async (seed: number) => ({
    bytes: await jpeg({ seed, width: 3000, height: 2000 }),
    name: 'retouched.jpg',
  })
  const add = async (file: Awaited<ReturnType<typeof retouch>>) => {
    const began = performance.now()
    // The connection breaks when the service is killed.
    const answer = await sendFiles(service.api(), path, [file], { field: 'photo' }).catch(() => null)
    return { answer, took: performance.now() - began }
  }
  const list = async () => ((await service.api().get(path)).body as VersionList).versions

  await add(await retouch(1))
  // The first picture of a process takes longer.
  await service.restart()
  const { took } = await add(await retouch(2))
  let confirmed = await list()
  expect(confirmed.map(({ number }) => number)).toEqual([1, 2, 3])
  const outcomes = new Set<boolean>()
  for (let kill = 0; kill < kills || (outcomes.size < 2 && kill < 3 * kills); kill++) {
    const file = await retouch(10 + kill)
    const adding = add(file)
    await sleep((1.5 * took * kill) / kills)
    await service.kill()
    await adding
    await service.restart()

    const versions = await list()
    outcomes.add(versions.length > confirmed.length)
    expect(versions.map(({ number }) => number)).toEqual(versions.map((_, index) => index + 1))
    const hashes = versions.map(({ content_hash }) => content_hash)
    expect(hashes.slice(0, confirmed.length)).toEqual(confirmed.map(({ content_hash }) => content_hash))
    const stored = new Set(await listStoredFiles(service.stored))
    for (const { filename } of versions) expect(stored).toContain(`files/events/${event.id}/originals/${filename}`)
    confirmed = versions
  }
  expect(outcomes.size).toBe(2)
  // Files that were stored before their rows are left to the sweep; files with a row are not retired.
  const retired = readDatabase(service.stored, (stored) =>
    stored.prepare<[], string>('select key from retired_files').pluck().all(),
  )
  expect(retired.filter((key) => confirmed.some(({ filename }) => key.endsWith(filename)))).toEqual([])
  for (const { number, is_current } of confirmed) {
    const query = is_current ? '' : `?version=${number}`
    const preview = await service.api().get(`/api/v1/events/${event.id}/photos/${photoId}/preview${query}`)
    expect(preview.status).toBe(200)
  }
}, 240_000)
