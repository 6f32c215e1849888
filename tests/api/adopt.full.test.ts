import { expect, test } from 'vitest'
import { adoptFile } from '../../server/photos/adopt-file.ts'
import { contextBeside } from '../support/backups.ts'
import { createEvent, type TestEvent } from '../support/events.ts'
import { jpeg } from '../support/pictures.ts'
import { proofroom } from '../support/proofroom-command.ts'
import { inDatabase, originalName } from '../support/stored.ts'
import { storedFiles } from '../support/stored-files.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const { api } = service

async function setAsideOriginal(event: TestEvent, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { body } = await api.upload(event.id, bytes)
  const key = originalName(service, event.id, body.id).replace(/^files\//, '')
  expect((await service.admin.delete(`/api/admin/photos/${event.id}/photos/${body.id}`)).status).toBe(200)
  const { storage } = await contextBeside(service.dataDir)
  await storage.setAside(key)
  return key
}

/** Each run is a process of its own. */
const severalRuns = { timeout: 60_000 }

const setAside = async () => (await storedFiles(service)).filter((name) => name.startsWith('lost+found/'))

async function photosOf(event: TestEvent) {
  const { body } = await api.get(`/api/v1/events/${event.id}/photos`)
  return body.photos
}

test('quarantined files are listed, one is adopted by its name, and the rest with --all', severalRuns, async () => {
  const event = await createEvent(api)
  const pictures = await Promise.all([1, 2, 3].map((seed) => jpeg({ seed })))
  const keys = []
  for (const picture of pictures) keys.push(await setAsideOriginal(event, picture))

  const list = await proofroom(service, ['adopt'])
  for (const key of keys) expect(list.stdout).toContain(key)
  expect(list.stdout).toContain(event.slug)
  expect(await photosOf(event)).toHaveLength(0)

  await proofroom(service, ['adopt', keys[1] ?? ''])
  const [photo] = await photosOf(event)
  expect(photo).toMatchObject({ uploaded_by: 'import', source_filename: keys[1]?.split('/').at(-1) })
  const original = await api.get(`/api/v1/events/${event.id}/photos/${photo.id}/download`)
  expect(original.bytes.equals(pictures[1] as Buffer)).toBe(true)

  expect((await proofroom(service, ['adopt', '--all'])).stdout).toContain('2 of 2 files adopted.')
  expect(await photosOf(event)).toHaveLength(3)
  expect(await setAside()).toEqual([])
})

test('the original of a deleted event is adopted into the event that is named', severalRuns, async () => {
  const [gone, other] = [await createEvent(api), await createEvent(api)]
  const picture = await jpeg({ seed: 4 })
  const key = await setAsideOriginal(gone, picture)
  await api.delete(`/api/v1/events/${gone.id}`)
  await expect(proofroom(service, ['adopt', '--all'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Its event is deleted'),
  })
  await proofroom(service, ['adopt', key, '--event', other.slug])
  expect(await photosOf(other)).toHaveLength(1)
  await expect(proofroom(service, ['adopt', key])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Not set aside'),
  })
})

test('a file that the event rejects is quarantined again', async () => {
  const event = await createEvent(api)
  const key = await setAsideOriginal(event, await jpeg({ seed: 5 }))
  await api.post(`/api/v1/events/${event.id}/archive`, {})
  const before = await setAside()
  await expect(proofroom(service, ['adopt', key])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('archived'),
  })
  expect(await setAside()).toEqual(before)
  const { storage } = await contextBeside(service.dataDir)
  await storage.bringBack(key)
  await storage.remove(key)
})

test('a file adopted twice, as after a crash, is one photo', async () => {
  const event = await createEvent(api)
  const picture = await jpeg({ seed: 6 })
  const file = { key: await setAsideOriginal(event, picture), sizeBytes: picture.length }
  const row = inDatabase(service, (stored) =>
    stored.prepare('select * from events where id = ?').get(event.id),
  ) as never
  const crashing = await contextBeside(service.dataDir, (storage) => ({
    ...storage,
    remove: () => Promise.reject(new Error('crashed')),
  }))
  await expect(adoptFile(crashing, file, row)).rejects.toThrow('crashed')
  expect(await photosOf(event)).toHaveLength(1)
  const ctx = await contextBeside(service.dataDir)
  expect(await adoptFile(ctx, file, row)).toMatchObject({ isNew: false })
  expect(await photosOf(event)).toHaveLength(1)
  expect(await setAside()).toEqual([])
})
