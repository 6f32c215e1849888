import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { hours } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { initUpload } from './init-upload.ts'
import { receiveChunk } from './receive-chunk.ts'
import { sweepUploads } from './sweep-uploads.ts'
import { createUploadsContext } from './upload-gate.ts'
import type { UploadRow } from './upload-rows.ts'

async function contextWithUpload() {
  const clock = createMovableClock()
  const ctx = createUploadsContext(await contextForTest({ edges: { clock } }))
  const { event } = await receiveFirstPhoto(ctx)
  const upload = await initUpload(ctx, event, { guestId: 'ana' }, { filename: 'a.jpg', fileSize: 3 })
  await receiveChunk(ctx, event, upload, { index: 0, contentLength: 3, body: Readable.from([Buffer.from('abc')]) })
  return { clock, ctx, upload }
}

async function age(ctx: AppContext, upload: UploadRow, ageMs: number): Promise<void> {
  const time = new Date(ctx.clock.now() - ageMs)
  await utimes(join(ctx.config.dataDir, 'media/parted', upload.parted_handle), time, time)
}

async function left({ db, storage }: AppContext) {
  const keys: string[] = []
  for await (const { key } of storage.multipart.list('events')) keys.push(key)
  const rows = async (table: 'chunked_uploads' | 'received_chunks') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return { files: keys.length, uploads: await rows('chunked_uploads'), chunks: await rows('received_chunks') }
}

const all = { files: 1, uploads: 1, chunks: 1 }
const none = { files: 0, uploads: 0, chunks: 0 }

test('the sweep of uploads deletes one that expired an hour ago, with its chunks, and no running one', async () => {
  const { clock, ctx, upload } = await contextWithUpload()
  for (const [advance, silence] of [
    [hours(23), hours(22)],
    [hours(2) - 60_000, hours(20)],
  ] as const) {
    clock.advance(advance)
    await age(ctx, upload, silence)
    await sweepUploads(ctx)
    expect(await left(ctx)).toEqual(all)
  }
  clock.advance(120_000)
  await sweepUploads(ctx)
  expect(await left(ctx)).toEqual(none)
})

test.each([
  ['aborted', null, 0],
  ['completed', 'completed', 1],
  ['failed', 'failed', 1],
] as const)(
  'the sweep of uploads deletes chunks that a crash has left of a %s upload, once nothing writes them',
  async (_, status, uploads) => {
    const { ctx, upload } = await contextWithUpload()
    if (status === null) await ctx.db.deleteFrom('chunked_uploads').execute()
    else await ctx.db.updateTable('chunked_uploads').set({ status }).execute()
    await age(ctx, upload, hours(1) - 60_000)
    await sweepUploads(ctx)
    expect(await left(ctx)).toMatchObject({ files: 1, uploads })
    await age(ctx, upload, hours(1) + 60_000)
    await sweepUploads(ctx)
    expect(await left(ctx)).toMatchObject({ files: 0, uploads })
  },
)
