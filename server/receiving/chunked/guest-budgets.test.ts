import { expect, test } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { minutes } from '../../platform/time/clock.ts'
import { maxBytesForFamily } from '../../settings/file-type-rules.ts'
import { createGuestBudgets } from './guest-budgets.ts'
import { isGuestUpload } from './guest-sessions.ts'
import { initUpload } from './init-upload.ts'
import { restartUpload } from './upload-files.ts'
import { createUploadsContext } from './upload-gate.ts'
import { findUpload } from './upload-rows.ts'

async function openSessions() {
  const clock = createMovableClock()
  const ctx = createUploadsContext(await contextForTest({ edges: { clock } }))
  const { event } = await receiveFirstPhoto(ctx)
  const open = async (guestId: string) => {
    const upload = await initUpload(ctx, event, { guestId }, { filename: 'a.jpg', fileSize: 1000 })
    if (!isGuestUpload(upload)) throw new Error('The upload has no guest')
    return upload
  }
  const values = await ctx.settings.values()
  const maxFileBytes = Math.max(maxBytesForFamily('image', values), maxBytesForFamily('video', values))
  return { ctx, clock, open, guestBytes: maxFileBytes + 200 * 2 ** 20 }
}

test('a chunk that was begun counts, once, also if it never arrives', async () => {
  const { ctx, open, guestBytes } = await openSessions()
  const { takeChunk } = ctx.guestBudgets
  const [first, second] = [await open('ana'), await open('ana')]
  await takeChunk(ctx, first, 0, guestBytes - 10)
  await takeChunk(ctx, first, 0, guestBytes - 10)
  expect((await findUpload(ctx.db, first.id))?.received_bytes).toBe(guestBytes - 10)
  await takeChunk(ctx, second, 0, 10)
  const rejected = await catchAppErrorAsync(() => takeChunk(ctx, second, 1, 1))
  expect([rejected?.code, rejected?.extras.retryAfterSeconds]).toEqual(['RATE_LIMITED', 15])
  await takeChunk(ctx, await open('ben'), 0, 10)
})

test('a chunk sent again after a restart or on another node is not counted again, but after its file was replaced', async () => {
  const { ctx, open } = await openSessions()
  const upload = await open('ana')
  await ctx.guestBudgets.takeChunk(ctx, upload, 0, 600)
  const restarted = createGuestBudgets()
  await restarted.takeChunk(ctx, upload, 0, 600)
  await restarted.takeChunk(ctx, upload, 1, 400)
  await createGuestBudgets().takeChunk(ctx, upload, 1, 400)
  expect((await findUpload(ctx.db, upload.id))?.received_bytes).toBe(1000)
  await restartUpload(ctx, upload)
  const current = await findUpload(ctx.db, upload.id)
  expect(current?.received_bytes).toBe(0)
  if (!current || !isGuestUpload(current)) throw new Error('The upload is gone')
  await ctx.guestBudgets.takeChunk(ctx, current, 0, 600)
  expect((await findUpload(ctx.db, upload.id))?.received_bytes).toBe(600)
  await ctx.db.deleteFrom('chunked_uploads').where('id', '=', upload.id).execute()
  await ctx.guestBudgets.takeChunk(ctx, current, 1, 400)
})

test('chunks at the same time do not exceed the budget together', async () => {
  const { ctx, open, guestBytes } = await openSessions()
  const upload = await open('ana')
  const bytes = Math.ceil(guestBytes / 3.5)
  const errors = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      catchAppErrorAsync(() => ctx.guestBudgets.takeChunk(ctx, upload, index, bytes)),
    ),
  )
  expect(errors.filter((error) => error === null)).toHaveLength(3)
})

test('a session that is idle for 5 minutes gives its budget to another one', async () => {
  const { ctx, clock, open, guestBytes } = await openSessions()
  const { takeChunk } = ctx.guestBudgets
  const [idle, active] = [await open('ana'), await open('ana')]
  await takeChunk(ctx, idle, 0, guestBytes)
  clock.advance(minutes(5))
  await takeChunk(ctx, active, 0, guestBytes)
  expect(await findUpload(ctx.db, idle.id)).toBeUndefined()
  expect((await findUpload(ctx.db, active.id))?.received_bytes).toBe(guestBytes)
})

test('a form may take the budget of its guest, and gives it back at its end', async () => {
  const { ctx, open, guestBytes } = await openSessions()
  const session = await open('ana')
  const guest = { eventId: session.event_id, guestId: 'ana' }
  const send = (bytes: number, receive = async () => {}) =>
    catchAppErrorAsync(() =>
      ctx.guestBudgets.withForm(ctx, guest, async (reserveSpace) => {
        await reserveSpace(bytes)
        await receive()
      }),
    )
  expect((await send(guestBytes + 1))?.code).toBe('FILE_TOO_LARGE')
  let concurrent: Awaited<ReturnType<typeof send>> = null
  const first = await send(guestBytes, async () => {
    concurrent = await send(1)
  })
  expect(first).toBeNull()
  expect(concurrent).toMatchObject({ code: 'RATE_LIMITED', extras: { retryAfterSeconds: 15 } })
  await ctx.guestBudgets.takeChunk(ctx, session, 0, 1)
  expect((await send(guestBytes))?.code).toBe('RATE_LIMITED')
})
