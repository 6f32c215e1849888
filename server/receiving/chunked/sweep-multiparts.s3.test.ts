import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { bucketForTest } from '../../../tests/support/storage/s3-storage.ts'
import { hours } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { completeUpload } from './complete-upload.ts'
import { initUpload } from './init-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { createUploadsContext } from './upload-gate.ts'

async function contextWithUpload() {
  const clock = createMovableClock()
  const ctx = createUploadsContext(await contextForTest({ environment: await bucketForTest(), edges: { clock } }))
  const { event } = await receiveFirstPhoto(ctx)
  const upload = await initUpload(ctx, event, { guestId: 'ana' }, { filename: 'a.jpg', fileSize: 3 })
  const chunk = { index: 0, contentLength: 3, body: Readable.from([Buffer.from('abc')]) }
  await receiveChunk(ctx, event, upload, chunk)
  return { clock, ctx, event, upload }
}

async function unfinished({ storage }: AppContext): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of storage.multipart.list('events')) found.push(key)
  return found
}

test('the sweep of uploads in a bucket leaves a running one, and ends one that expired an hour ago', async () => {
  const { clock, ctx, upload } = await contextWithUpload()
  clock.advance(hours(25) - 60_000)
  await sweepUploads(ctx)
  expect(await unfinished(ctx)).toEqual([upload.parted_handle])
  clock.advance(120_000)
  await sweepUploads(ctx)
  expect(await unfinished(ctx)).toEqual([])
})

test('the sweep of uploads in a bucket ends what a crash has left, one hour after its last bytes', {
  tags: 'nightly',
}, async () => {
  const { clock, ctx } = await contextWithUpload()
  await ctx.db.deleteFrom('chunked_uploads').execute()
  clock.advance(hours(1) - 60_000)
  await sweepUploads(ctx)
  expect(await unfinished(ctx)).toHaveLength(1)
  clock.advance(120_000)
  await sweepUploads(ctx)
  expect(await unfinished(ctx)).toEqual([])
})

test('the sweep of uploads in a bucket finds nothing of one whose content was rejected', {
  tags: 'nightly',
}, async () => {
  const { ctx, event, upload } = await contextWithUpload()
  await expect(completeUpload(ctx, event, upload, { uploadedBy: 'guest' })).rejects.toMatchObject({ status: 415 })
  expect(await unfinished(ctx)).toEqual([])
  const originals: string[] = []
  for await (const { key } of ctx.storage.list(`events/${event.id}/originals`)) originals.push(key)
  expect(originals).toHaveLength(1)
})

test('an upload that the store has ended requires all chunks again, also while they arrive, and accepts them', {
  tags: 'nightly',
}, async () => {
  const { ctx, event, upload } = await contextWithUpload()
  await ctx.storage.multipart.remove(upload.parted_handle)
  const send = async () => {
    const current = await ctx.db.selectFrom('chunked_uploads').selectAll().executeTakeFirstOrThrow()
    const chunk = { index: 0, contentLength: 3, body: Readable.from([Buffer.from('abc')]) }
    return receiveChunk(ctx, event, current, chunk)
  }
  await expect(send()).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect(await send()).toMatchObject({ received: 1, complete: true })
  await ctx.storage.multipart.remove((await unfinished(ctx))[0] ?? '')
  const completing = completeUpload(ctx, event, upload, { uploadedBy: 'guest' })
  await expect(completing).rejects.toMatchObject({ code: 'MISSING_CHUNKS' })
  expect(await send()).toMatchObject({ received: 1, complete: true })
})
