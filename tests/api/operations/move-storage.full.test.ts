import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type MoveResult, moveStorage, type StorageMove } from '../../../server/commands/move-storage.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { getStoredOriginal, originalName } from '../../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { picture } from '../../support/media/pictures.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { openSecondContext } from '../../support/service/backups.ts'
import { serviceForTest, type TestService } from '../../support/service/test-service.ts'
import { diskStorageForTest, listKeys, storeFile } from '../../support/storage/test-storage.ts'

/** `move` copies the files of the service to a temporary folder, and records them in another temporary folder. */
async function createMover({ dataDir }: TestService) {
  const { db, storage: source } = await openSecondContext(dataDir)
  const target = diskStorageForTest(await temporaryFolder())
  const folder = await temporaryFolder()
  const move = (changed: Partial<StorageMove> = {}): Promise<MoveResult> =>
    moveStorage({ db, source, target, folder, ...changed })
  return { source, target, move }
}

const listAllKeys = async (storage: Storage): Promise<string[]> =>
  (await Promise.all([listKeys(storage, 'events'), listKeys(storage, 'branding')])).flat().sort()

const readBytes = async (storage: Storage, key: string): Promise<Buffer> => buffer(await storage.openStream(key))

async function uploadLogo({ admin }: TestService): Promise<void> {
  const form = new FormData()
  form.append('logo', new Blob([await picture('png')], { type: 'image/png' }), 'logo.png')
  expect((await admin.call('PUT', '/api/admin/branding', { body: form })).status).toBe(200)
}

test('every file is copied byte for byte, and a second run copies only new ones', { tags: 'storage' }, async () => {
  const service = await serviceForTest()
  const event = await createEvent(service.api)
  const [id] = await uploadPhotos(service.api, event.id, 3)
  expect((await service.api.get(`/api/v1/events/${event.id}/photos/${id}/preview?w=640`)).status).toBe(200)
  await uploadLogo(service)
  const { source, target, move } = await createMover(service)
  const keys = await listAllKeys(source)
  expect(keys).toHaveLength(9)

  const reported: number[] = []
  const moved = await move({ onProgress: ({ files }) => reported.push(files) })
  expect(moved).toEqual({ intact: 9, copied: 9, missing: [], damaged: [] })
  expect(reported).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await listAllKeys(target)).toEqual(keys)
  expect(await listAllKeys(source)).toEqual(keys)
  for (const key of keys) expect((await readBytes(target, key)).equals(await readBytes(source, key))).toBe(true)

  // Files of the first run are not read again.
  const unread = { openStream: () => Promise.reject(new Error('read')) }
  const again = await move({ source: { ...source, ...unread }, target: { ...target, ...unread } })
  expect(again).toMatchObject({ intact: 9, copied: 0 })
  await uploadPhotos(service.api, event.id, 1)
  expect(await move()).toMatchObject({ intact: 11, copied: 2 })

  const originalKey = originalName(service, event.id, id as number).replace(/^files\//, '')
  await target.remove(originalKey)
  expect(await move()).toMatchObject({ intact: 11, copied: 1 })
  // Files without a record are compared first.
  const damaged = await readBytes(source, originalKey)
  damaged[damaged.length - 1] = 0
  await target.remove(originalKey)
  await storeFile(target, originalKey, damaged)
  expect(await move({ folder: await temporaryFolder() })).toMatchObject({ intact: 11, copied: 1 })
  expect((await readBytes(target, originalKey)).equals(await readBytes(source, originalKey))).toBe(true)
})

test('missing or damaged source files are reported, and all others are copied', async () => {
  const service = await serviceForTest()
  const event = await createEvent(service.api)
  const [lost = 0, damaged = 0] = await uploadPhotos(service.api, event.id, 3)
  const { move } = await createMover(service)
  const original = getStoredOriginal(service, event.id, damaged)
  const bytes = await original.read()
  bytes[bytes.length - 1] = 0
  await original.write(bytes)
  await getStoredOriginal(service, event.id, lost).remove()
  const originalKey = (id: number) => originalName(service, event.id, id).replace(/^files\//, '')
  const moved = await move()
  expect(moved).toEqual({ intact: 4, copied: 5, missing: [originalKey(lost)], damaged: [originalKey(damaged)] })
  expect(await move()).toMatchObject({ intact: 4, missing: [originalKey(lost)], damaged: [originalKey(damaged)] })
})

test('an interrupted move continues, and ends if the target does not return what was written', async () => {
  const service = await serviceForTest()
  const event = await createEvent(service.api)
  await uploadPhotos(service.api, event.id, 6)
  const { source, target, move } = await createMover(service)
  const [key = ''] = await listAllKeys(source)
  const changing: Storage = { ...target, openStream: () => source.openStream(key, { start: 0, end: 9 }) }
  await expect(move({ target: changing, folder: await temporaryFolder() })).rejects.toThrow(
    'differs from the written content',
  )
  for (const written of await listAllKeys(target)) await target.remove(written)
  let commits = 0
  const failing: Storage = {
    ...target,
    commit: async (files) => {
      if (++commits > 5) throw new Error('killed')
      await target.commit(files)
    },
  }
  await expect(move({ target: failing })).rejects.toThrow('killed')
  expect(await listAllKeys(target)).toHaveLength(5)
  expect(await move()).toEqual({ intact: 12, copied: 7, missing: [], damaged: [] })
})
