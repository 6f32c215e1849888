import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../tests/support/first-photo.ts'
import { bucketForTest } from '../../tests/support/s3-storage.ts'
import { houseForTest } from '../../tests/support/test-house.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import { hours } from '../platform/clock.ts'
import type { House } from '../settings/house.ts'
import { completeUpload } from './complete-upload.ts'
import { initUpload } from './init-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { withUploads } from './uploads-house.ts'

async function houseWithUpload() {
  const clock = movableClock()
  const house = withUploads(await houseForTest({ environment: await bucketForTest(), edges: { clock } }))
  const { event } = await receiveFirstPhoto(house)
  const upload = await initUpload(house, event, { guestId: 'ana' }, { filename: 'a.jpg', fileSize: 3 })
  const chunk = { index: 0, announcedBytes: 3, body: Readable.from([Buffer.from('abc')]) }
  await receiveChunk(house, event, upload, chunk)
  return { clock, house, event, upload }
}

async function unfinished({ storage }: House): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of storage.parted.list('events')) found.push(key)
  return found
}

describe('the sweep of uploads in a bucket', () => {
  test('leaves one that is running, and ends one whose time is over for an hour', async () => {
    const { clock, house, upload } = await houseWithUpload()
    clock.advance(hours(25) - 60_000)
    await sweepUploads(house)
    expect(await unfinished(house)).toEqual([upload.parted_handle])
    clock.advance(120_000)
    await sweepUploads(house)
    expect(await unfinished(house)).toEqual([])
  })

  test('ends what a crash has left, once nothing of it has come for an hour', async () => {
    const { clock, house } = await houseWithUpload()
    await house.db.deleteFrom('chunked_uploads').execute()
    clock.advance(hours(1) - 60_000)
    await sweepUploads(house)
    expect(await unfinished(house)).toHaveLength(1)
    clock.advance(120_000)
    await sweepUploads(house)
    expect(await unfinished(house)).toEqual([])
  })

  test('finds nothing of one whose content was refused', async () => {
    const { house, event, upload } = await houseWithUpload()
    await expect(completeUpload(house, event, upload, { uploadedBy: 'guest' })).rejects.toMatchObject({ status: 415 })
    expect(await unfinished(house)).toEqual([])
    const originals: string[] = []
    for await (const { key } of house.storage.list(`events/${event.id}/originals`)) originals.push(key)
    expect(originals).toHaveLength(1)
  })
})

describe('an upload that the store has ended', () => {
  test('asks for all chunks again, also while they come, and takes them', async () => {
    const { house, event, upload } = await houseWithUpload()
    await house.storage.parted.remove(upload.parted_handle)
    const send = async () => {
      const current = await house.db.selectFrom('chunked_uploads').selectAll().executeTakeFirstOrThrow()
      const chunk = { index: 0, announcedBytes: 3, body: Readable.from([Buffer.from('abc')]) }
      return receiveChunk(house, event, current, chunk)
    }
    await expect(send()).rejects.toMatchObject({ code: 'INVALID_STATE' })
    expect(await send()).toMatchObject({ received: 1, complete: true })
    await house.storage.parted.remove((await unfinished(house))[0] ?? '')
    const completing = completeUpload(house, event, upload, { uploadedBy: 'guest' })
    await expect(completing).rejects.toMatchObject({ code: 'MISSING_CHUNKS' })
    expect(await send()).toMatchObject({ received: 1, complete: true })
  })
})
