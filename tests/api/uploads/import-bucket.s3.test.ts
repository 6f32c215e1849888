import { describe, expect, onTestFinished, test } from 'vitest'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { openImportBucket } from '../../support/fixtures/import-bucket.ts'
import {
  importTimeout,
  loadImportHealth,
  loadPhotos,
  startImportingService,
  waitForImports,
  waitForScans,
} from '../../support/fixtures/imports.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { bucketForTest } from '../../support/storage/s3-storage.ts'

async function startBucketImport() {
  const environment = await bucketForTest()
  const service = await startImportingService(environment)
  const bucket = openImportBucket(environment)
  onTestFinished(bucket.close)
  const place = {
    put: (path: string, bytes: Uint8Array) => bucket.put(`imports/${path}`, bytes),
    remove: (path: string) => bucket.remove(`imports/${path}`),
    isAtomic: true,
  }
  return { service, bucket, place, event: await createEvent(service.api) }
}

describe('an object below imports/ in the bucket', () => {
  test('becomes a photo of its event and category at once, and moves to imported/', async () => {
    const { service, bucket, place, event } = await startBucketImport()
    const bytes = await jpeg({ seed: 1 })
    await bucket.put(`imports/${event.slug}/First dance/IMG 1+ä.jpg`, bytes)
    await bucket.put(`imports/${event.slug}/`, Buffer.alloc(0))
    await bucket.put(`imports/${event.slug}/.DS_Store`, 'x')
    const [photo] = await waitForImports(service, event.id, 1, place)
    expect(photo).toMatchObject({
      original_filename: 'IMG 1+ä.jpg',
      uploaded_by: 'import',
      category: 'First dance',
      auto_categorized: true,
    })
    const taken = `imported/${event.slug}/First dance/IMG 1+ä.jpg`
    expect(await bucket.keys()).toEqual([taken, `imports/${event.slug}/`, `imports/${event.slug}/.DS_Store`])
    expect(await bucket.read(taken)).toEqual(bytes)
    expect(readDatabase(service, (stored) => stored.prepare('select * from imported_files').all())).toEqual([])
  })

  test('creates no second photo of the same content, and keeps another file of the same name', {
    tags: 'nightly',
  }, async () => {
    const { service, bucket, place, event } = await startBucketImport()
    const bytes = await jpeg({ seed: 2 })
    await bucket.put(`imports/${event.slug}/a.jpg`, bytes)
    await waitForImports(service, event.id, 1, place)
    await bucket.put(`imports/${event.slug}/b.jpg`, bytes)
    await bucket.put(`imports/${event.slug}/a.jpg`, await jpeg({ seed: 3 }))
    await waitForImports(service, event.id, 2, place)
    const names = ['a.jpg', 'a_1.jpg', 'b.jpg']
    await expect.poll(bucket.keys, importTimeout).toEqual(names.map((name) => `imported/${event.slug}/${name}`))
  })

  test('is not copied again after a crash between copy and deletion', { tags: 'nightly' }, async () => {
    const { service, bucket, event } = await startBucketImport()
    const bytes = await jpeg({ seed: 5 })
    await service.api.upload(event.id, bytes)
    const copy = `imported/${event.slug}/a.jpg`
    await bucket.put(copy, bytes)
    await bucket.put(`imports/${event.slug}/a.jpg`, bytes)
    await expect.poll(bucket.keys, importTimeout).toEqual([copy])
    expect(await loadPhotos(service, event.id)).toHaveLength(1)
  })

  test('that is no picture moves to refused/ with the reason; without an event it waits and is reported', {
    tags: 'nightly',
  }, async () => {
    const { service, bucket, place, event } = await startBucketImport()
    await bucket.put(`imports/${event.slug}/a.cr2`, 'no picture')
    await bucket.put('imports/nobody/a.jpg', await jpeg({ seed: 4 }))
    const rejected = `refused/${event.slug}/a.cr2`
    await expect.poll(bucket.keys, importTimeout).toEqual(['imports/nobody/a.jpg', rejected, `${rejected}.txt`])
    expect(String(await bucket.read(`${rejected}.txt`))).toMatch(
      /a\.cr2 was not imported\. This image format is not supported/,
    )
    await expect
      .poll(async () => (await loadImportHealth(service)).text, importTimeout)
      .toMatch(/prefix of the bucket match no event: nobody/)
    expect((await loadImportHealth(service)).facts.refused).toBe(1)
    await waitForScans(service, place)
    expect(await loadPhotos(service, event.id)).toEqual([])
  })
})
