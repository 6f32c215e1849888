import { expect, onTestFinished, test, vi } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../../tests/support/fixtures/first-photo.ts'
import { createEndlessTask } from '../../../tests/support/media/image-tasks.ts'
import { contextWithOwnWorkers } from '../../../tests/support/service/test-context.ts'
import { openStoredFile } from '../../../tests/support/storage/stored-files.ts'
import { changeEvent } from '../../events/change-event.ts'
import { hours } from '../../platform/time/clock.ts'
import { receivePhoto } from '../../receiving/receive-photo.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { originalKey, renditionPrefix } from '../photo-files.ts'
import { fullSizeRequest, guestProfile } from './guest-profile.ts'
import { findReadyRenditions, fullSizePx, plainProfile, requestRenditionsSoon } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'
import { startWarming } from './warm-renditions.ts'

const rowsOf = async ({ db }: AppContext) =>
  (await db.selectFrom('photo_renditions').select(['photo_id', 'variant', 'bound_px', 'format']).execute()).sort(
    (one, other) => one.photo_id - other.photo_id || one.bound_px - other.bound_px,
  )

function startTestWarming(ctx: AppContext, idleMs: number) {
  const started = startWarming(ctx, createRenditions(ctx), idleMs)
  onTestFinished(started.stop)
  return started
}

test('makes the standard widths of each photo, also of later ones and after a restart', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const first = startTestWarming(ctx, 20)
  await expect.poll(() => rowsOf(ctx)).toHaveLength(1)
  await first.stop()
  startTestWarming(ctx, 20)
  const later = await receivePhoto(ctx, { event, file: await stagePicture(ctx, 700), uploadedBy: 'api' })
  await expect.poll(() => rowsOf(ctx)).toHaveLength(3)
  expect(await rowsOf(ctx)).toEqual([
    { photo_id: photo.id, variant: 'plain', bound_px: 640, format: 'webp' },
    { photo_id: later.id, variant: 'plain', bound_px: 640, format: 'webp' },
    { photo_id: later.id, variant: 'plain', bound_px: 1280, format: 'webp' },
  ])
})

test('makes the widest rendition once a guest has requested it for one photo of the event', {
  tags: 'nightly',
}, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event } = await receiveFirstPhoto(ctx)
  const [first, second] = [await stagePicture(ctx, 2000), await stagePicture(ctx, 2100)]
  const photo = await receivePhoto(ctx, { event, file: first, uploadedBy: 'api' })
  const other = await receivePhoto(ctx, { event, file: second, uploadedBy: 'api' })
  const renditions = createRenditions(ctx)
  onTestFinished(startWarming(ctx, renditions, 20).stop)
  await expect.poll(() => rowsOf(ctx)).toHaveLength(7)
  const widest = { photo_id: photo.id, variant: 'plain', bound_px: 2560, format: 'webp' }
  await renditions.get(photo, { profile: plainProfile, bound_px: 2560, format: 'webp' })
  await expect.poll(() => rowsOf(ctx)).toHaveLength(9)
  expect((await rowsOf(ctx)).filter(({ bound_px }) => bound_px === 2560)).toEqual([
    widest,
    { ...widest, photo_id: other.id },
  ])
})

test('begins with the photos that the gallery shows first', { tags: 'nightly' }, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const later = await receivePhoto(ctx, { event, file: await stagePicture(ctx, 61), uploadedBy: 'api' })
  await changeEvent(ctx, event.id, { default_photo_sort: 'upload_date_desc' })
  startTestWarming(ctx, 10)
  await expect.poll(() => rowsOf(ctx)).toHaveLength(2)
  const made = await ctx.db.selectFrom('photo_renditions').select('photo_id').orderBy('filename').execute()
  expect(made.map(({ photo_id }) => photo_id)).toEqual([later.id, photo.id])
})

test('makes full-size renditions if guests get no originals, and again after a new watermark text', {
  tags: 'nightly',
}, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  await changeEvent(ctx, event.id, { watermark_downloads: true, watermark_text: 'one' })
  startTestWarming(ctx, 20)
  await expect.poll(() => rowsOf(ctx)).toHaveLength(2)
  const [standardWidths, whole] = await rowsOf(ctx)
  expect(standardWidths).toMatchObject({ photo_id: photo.id, bound_px: 640, format: 'webp' })
  expect(whole).toEqual({ photo_id: photo.id, variant: standardWidths?.variant, bound_px: fullSizePx, format: 'jpeg' })
  await changeEvent(ctx, event.id, { watermark_text: 'other' })
  await expect.poll(() => rowsOf(ctx)).toHaveLength(4)
  expect(new Set((await rowsOf(ctx)).map(({ variant }) => variant)).size).toBe(2)
})

test('makes nothing while the image workers have other jobs', { tags: 'nightly' }, async () => {
  const [ctx, other] = [await contextWithOwnWorkers(), await contextWithOwnWorkers()]
  for (const one of [ctx, other]) await receiveFirstPhoto(one)
  const { task, begun } = await createEndlessTask()
  const wanted = ctx.imageWorkers.run(task).catch(() => null)
  await begun
  startTestWarming(ctx, 50)
  startTestWarming(other, 50)
  await expect.poll(() => rowsOf(other)).toHaveLength(1)
  expect(await rowsOf(ctx)).toEqual([])
  for (const pid of ctx.imageWorkers.pids()) process.kill(pid, 'SIGKILL')
  await wanted
  await expect.poll(() => rowsOf(ctx)).toHaveLength(1)
})

test('makes requested renditions at once and others when the workers are idle', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const changed = await changeEvent(ctx, event.id, { watermark_downloads: true })
  startTestWarming(ctx, hours(1))
  requestRenditionsSoon(ctx, { eventId: event.id, widthPx: null })
  await expect.poll(() => rowsOf(ctx)).toHaveLength(1)
  const [whole] = await rowsOf(ctx)
  expect(whole).toMatchObject({ bound_px: fullSizePx, format: 'jpeg' })
  const request = fullSizeRequest(guestProfile(changed, await ctx.settings.values()), photo)
  if (!request) throw new Error('guests get the original')
  const ready = await findReadyRenditions(ctx.db, event.id, [photo.id, 999], request)
  expect([...ready.keys()]).toEqual([photo.id])
  expect(ready.get(photo.id)).toMatchObject({ size_bytes: expect.any(Number), crc32: expect.any(Number) })
  expect((await findReadyRenditions(ctx.db, event.id, [], request)).size).toBe(0)
})

test('makes requested renditions after a failure of the storage, without another request', {
  tags: 'nightly',
}, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event } = await receiveFirstPhoto(ctx)
  await changeEvent(ctx, event.id, { watermark_downloads: true })
  const obstacle = openStoredFile(ctx.config, `files/${renditionPrefix(event.id)}`)
  await obstacle.write('A file where the folder belongs')
  const run = vi.spyOn(ctx.imageWorkers, 'run')
  startTestWarming(ctx, hours(1))
  requestRenditionsSoon(ctx, { eventId: event.id, widthPx: null })
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(1)
  expect(await rowsOf(ctx)).toEqual([])
  await obstacle.remove()
  await expect.poll(() => rowsOf(ctx)).toMatchObject([{ bound_px: fullSizePx, format: 'jpeg' }])
})

test('an unexpected error of one photo delays no other', { tags: 'nightly' }, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const others: number[] = []
  for (const width of [61, 62, 63]) {
    others.push((await receivePhoto(ctx, { event, file: await stagePicture(ctx, width), uploadedBy: 'api' })).id)
  }
  await changeEvent(ctx, event.id, { watermark_downloads: true, default_photo_sort: 'upload_date_asc' })
  // No file system has such a name, and the error is not that of a missing file.
  const filename = 'x'.repeat(300)
  await ctx.db.updateTable('photos').set({ filename }).where('id', '=', photo.id).execute()
  startTestWarming(ctx, hours(1))
  requestRenditionsSoon(ctx, { eventId: event.id, widthPx: null })
  await expect.poll(async () => (await rowsOf(ctx)).map(({ photo_id }) => photo_id)).toEqual(others)
})

test('a photo that failed in another size is tried for a download, and then left out', {
  tags: 'nightly',
}, async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const other = await receivePhoto(ctx, { event, file: await stagePicture(ctx, 61), uploadedBy: 'api' })
  const original = openStoredFile(ctx.config, `files/${originalKey(event.id, photo.filename)}`)
  await original.write(Buffer.alloc(photo.size_bytes, 7))
  const renditions = createRenditions(ctx)
  onTestFinished(startWarming(ctx, renditions, 10).stop)
  await expect.poll(async () => (await rowsOf(ctx)).map(({ photo_id }) => photo_id)).toEqual([other.id])
  const changed = await changeEvent(ctx, event.id, { watermark_downloads: true })
  const request = fullSizeRequest(guestProfile(changed, await ctx.settings.values()), photo)
  if (!request) throw new Error('guests get the original')
  requestRenditionsSoon(ctx, { eventId: event.id, widthPx: null })
  await expect.poll(() => renditions.hasFailed(photo, request)).toBe(true)
  expect(renditions.hasFailed(other, request)).toBe(false)
})

// An image job times out after 60 seconds, later than this test.
test('stops at once while an image worker is busy', { tags: 'nightly' }, async () => {
  const ctx = await contextWithOwnWorkers()
  await receiveFirstPhoto(ctx)
  const [pid = 0] = ctx.imageWorkers.pids()
  process.kill(pid, 'SIGSTOP')
  const run = vi.spyOn(ctx.imageWorkers, 'run')
  const started = startWarming(ctx, createRenditions(ctx), 0)
  await expect.poll(() => run.mock.calls.length).toBe(1)
  await started.stop()
  expect(await rowsOf(ctx)).toEqual([])
})
