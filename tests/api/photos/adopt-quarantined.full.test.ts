import { expect, test } from 'vitest'
import { adoptFile } from '../../../server/repair/adopt-file.ts'
import { originalName, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { openSecondContext } from '../../support/service/backups.ts'
import { runProofroom } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api } = service

async function quarantineOriginal(event: TestEvent, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { body } = await api.upload(event.id, bytes)
  const key = originalName(service, event.id, body.id).replace(/^files\//, '')
  expect((await service.admin.delete(`/api/admin/photos/${event.id}/photos/${body.id}`)).status).toBe(200)
  const { storage } = await openSecondContext(service.dataDir)
  await storage.quarantine(key)
  return key
}

const quarantine = async () => (await listStoredFiles(service)).filter((name) => name.startsWith('lost+found/'))

async function listPhotos(event: TestEvent) {
  const { body } = await api.get(`/api/v1/events/${event.id}/photos`)
  return body.photos
}

test('quarantined files are listed and adopted, those of a deleted event into the event that is named', async () => {
  const [event, deletedEvent, other] = [await createEvent(api), await createEvent(api), await createEvent(api)]
  const pictures = await Promise.all([1, 2].map((seed) => jpeg({ seed })))
  const [first, second] = pictures as [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>]
  const key = await quarantineOriginal(event, first)
  const keyOfDeleted = await quarantineOriginal(deletedEvent, second)
  await api.delete(`/api/v1/events/${deletedEvent.id}`)
  const { stdout } = await runProofroom(service, ['adopt'])
  for (const text of [key, keyOfDeleted, event.slug]) expect(stdout).toContain(text)
  expect(await listPhotos(event)).toHaveLength(0)

  await expect(runProofroom(service, ['adopt', '--all'])).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 of 2 files adopted.'),
    stderr: expect.stringContaining('Its event was deleted'),
  })
  const [photo] = await listPhotos(event)
  expect(photo).toMatchObject({ uploaded_by: 'import', source_filename: key.split('/').at(-1) })
  const original = await api.get(`/api/v1/events/${event.id}/photos/${photo.id}/download`)
  expect(original.bytes.equals(first)).toBe(true)
  await runProofroom(service, ['adopt', keyOfDeleted, '--event', other.slug])
  expect(await listPhotos(other)).toHaveLength(1)
  expect(await quarantine()).toEqual([])
})

const findRow = ({ id }: TestEvent) =>
  readDatabase(service, (stored) => stored.prepare('select * from events where id = ?').get(id)) as never

test('a file that the event rejects is quarantined again', async () => {
  const event = await createEvent(api)
  const picture = await jpeg({ seed: 5 })
  const key = await quarantineOriginal(event, picture)
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  const before = await quarantine()
  const ctx = await openSecondContext(service.dataDir)
  const adopting = adoptFile(ctx, { key, sizeBytes: picture.length }, findRow(event))
  await expect(adopting).rejects.toMatchObject({ code: 'EVENT_ARCHIVED' })
  expect(await quarantine()).toEqual(before)
  await ctx.storage.restoreQuarantined(key)
  await ctx.storage.remove(key)
})

test('a file adopted twice, as after a crash, is one photo', async () => {
  const event = await createEvent(api)
  const picture = await jpeg({ seed: 6 })
  const file = { key: await quarantineOriginal(event, picture), sizeBytes: picture.length }
  const row = findRow(event)
  const crashingContext = await openSecondContext(service.dataDir, (storage) => ({
    ...storage,
    remove: () => Promise.reject(new Error('crashed')),
  }))
  await expect(adoptFile(crashingContext, file, row)).rejects.toThrow('crashed')
  expect(await listPhotos(event)).toHaveLength(1)
  const ctx = await openSecondContext(service.dataDir)
  expect(await adoptFile(ctx, file, row)).toMatchObject({ isNew: false })
  expect(await listPhotos(event)).toHaveLength(1)
  expect(await quarantine()).toEqual([])
})

test('the earlier file of a replaced photo becomes a photo of its own', async () => {
  const event = await createEvent(api)
  const picture = await jpeg({ seed: 8 })
  const { body: photo } = await api.upload(event.id, picture)
  const key = originalName(service, event.id, photo.id).replace(/^files\//, '')
  await api.upload(event.id, await jpeg({ seed: 9 }), { fields: { replaces_photo_id: photo.id } })
  const ctx = await openSecondContext(service.dataDir)
  await ctx.storage.quarantine(key)
  expect(await adoptFile(ctx, { key, sizeBytes: picture.length }, findRow(event))).toMatchObject({ isNew: true })
  expect(await listPhotos(event)).toHaveLength(2)
})
