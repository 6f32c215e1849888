import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../tests/support/first-photo.ts'
import { houseForTest } from '../../tests/support/test-house.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import { hours } from '../platform/clock.ts'
import type { House } from '../settings/house.ts'
import { initUpload } from './init-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { sweepUploads } from './sweep-uploads.ts'
import type { UploadRow } from './upload-rows.ts'
import { withUploads } from './uploads-house.ts'

/** A running upload all chunks of which are there. */
async function houseWithUpload() {
  const clock = movableClock()
  const house = withUploads(await houseForTest({ edges: { clock } }))
  const { event } = await receiveFirstPhoto(house)
  const upload = await initUpload(house, event, { guestId: 'ana' }, { filename: 'a.jpg', fileSize: 3 })
  await receiveChunk(house, event, upload, { index: 0, announcedBytes: 3, body: Readable.from([Buffer.from('abc')]) })
  return { clock, house, upload }
}

async function age(house: House, upload: UploadRow, ageMs: number): Promise<void> {
  const time = new Date(house.clock.now() - ageMs)
  await utimes(join(house.config.dataDir, 'media/parted', upload.parted_handle), time, time)
}

async function left({ db, storage }: House) {
  const keys: string[] = []
  for await (const { key } of storage.parted.list('events')) keys.push(key)
  const rows = async (table: 'chunked_uploads' | 'received_chunks') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return { files: keys.length, uploads: await rows('chunked_uploads'), chunks: await rows('received_chunks') }
}

const all = { files: 1, uploads: 1, chunks: 1 }
const none = { files: 0, uploads: 0, chunks: 0 }

describe('the sweep of uploads', () => {
  test('leaves one that is running, however long nothing has come', async () => {
    const { clock, house, upload } = await houseWithUpload()
    clock.advance(hours(23))
    await age(house, upload, hours(22))
    await sweepUploads(house)
    expect(await left(house)).toEqual(all)
  })

  test('forgets one whose time is over for an hour, with its chunks', async () => {
    const { clock, house, upload } = await houseWithUpload()
    clock.advance(hours(25) - 60_000)
    await age(house, upload, hours(20))
    await sweepUploads(house)
    expect(await left(house)).toEqual(all)
    clock.advance(120_000)
    await sweepUploads(house)
    expect(await left(house)).toEqual(none)
  })

  test.each([
    ['aborted', null, 0],
    ['completed', 'completed', 1],
    ['failed', 'failed', 1],
  ] as const)(
    'deletes chunks that a crash has left of one that is %s, once nobody writes them any more',
    async (_, status, uploads) => {
      const { house, upload } = await houseWithUpload()
      if (status === null) await house.db.deleteFrom('chunked_uploads').execute()
      else await house.db.updateTable('chunked_uploads').set({ status }).execute()
      await age(house, upload, hours(1) - 60_000)
      await sweepUploads(house)
      expect(await left(house)).toMatchObject({ files: 1, uploads })
      await age(house, upload, hours(1) + 60_000)
      await sweepUploads(house)
      expect(await left(house)).toMatchObject({ files: 0, uploads })
    },
  )
})
