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

test('quarantined files are listed, one is adopted by its name, and the rest with --all', async () => {
  const event = await createEvent(api)
  const pictures = await Promise.all([1, 2, 3].map((seed) => jpeg({ seed })))
  const keys = []
  for (const picture of pictures) keys.push(await quarantineOriginal(event, picture))

  const list = await runProofroom(service, ['adopt'])
  for (const key of keys) expect(list.stdout).toContain(key)
  expect(list.stdout).toContain(event.slug)
  expect(await listPhotos(event)).toHaveLength(0)

  await runProofroom(service, ['adopt', keys[1] ?? ''])
  const [photo] = await listPhotos(event)
  expect(photo).toMatchObject({ uploaded_by: 'import', source_filename: keys[1]?.split('/').at(-1) })
  const original = await api.get(`/api/v1/events/${event.id}/photos/${photo.id}/download`)
  expect(original.bytes.equals(pictures[1] as Buffer)).toBe(true)

  expect((await runProofroom(service, ['adopt', '--all'])).stdout).toContain('2 of 2 files adopted.')
  expect(await listPhotos(event)).toHaveLength(3)
  expect(await quarantine()).toEqual([])
})

test('the original of a deleted event is adopted into the event that is named', async () => {
  const [deletedEvent, other] = [await createEvent(api), await createEvent(api)]
  const picture = await jpeg({ seed: 4 })
  const key = await quarantineOriginal(deletedEvent, picture)
  await api.delete(`/api/v1/events/${deletedEvent.id}`)
  await expect(runProofroom(service, ['adopt', '--all'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Its event was deleted'),
  })
  await runProofroom(service, ['adopt', key, '--event', other.slug])
  expect(await listPhotos(other)).toHaveLength(1)
  await expect(runProofroom(service, ['adopt', key])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Not in quarantine'),
  })
})

test('a file that the event rejects is quarantined again', async () => {
  const event = await createEvent(api)
  const key = await quarantineOriginal(event, await jpeg({ seed: 5 }))
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  const before = await quarantine()
  await expect(runProofroom(service, ['adopt', key])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('archived'),
  })
  expect(await quarantine()).toEqual(before)
  const { storage } = await openSecondContext(service.dataDir)
  await storage.restoreQuarantined(key)
  await storage.remove(key)
})

test('a file adopted twice, as after a crash, is one photo', async () => {
  const event = await createEvent(api)
  const picture = await jpeg({ seed: 6 })
  const file = { key: await quarantineOriginal(event, picture), sizeBytes: picture.length }
  const row = readDatabase(service, (stored) =>
    stored.prepare('select * from events where id = ?').get(event.id),
  ) as never
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
