import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../tests/support/service/test-service.ts'
import { originalKey } from '../photos/photo-files.ts'
import { getPhoto } from '../photos/photo-rows.ts'
import { days, hours } from '../platform/time/clock.ts'
import { sweepStorage } from '../repair/sweep-storage.ts'
import { replacePhoto } from './replace-photo.ts'
import { listReplaced } from './replaced-file-rows.ts'
import { undoReplacement } from './undo-replacement.ts'

async function replacedPhoto() {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event, photo } = await receiveFirstPhoto(ctx)
  const current = async () => getPhoto(ctx.db, event.id, photo.id)
  const bytes = async () => buffer(await ctx.storage.openStream(originalKey(event.id, (await current()).filename)))
  const first = await bytes()
  await replacePhoto(ctx, event, photo.id, { ...(await stagePicture(ctx, 61)), clientName: 'retouched.jpg' })
  return {
    ctx,
    clock,
    event,
    photo,
    first,
    current,
    bytes,
    undo: (only?: { filename: string }) => undoReplacement(ctx, event, photo.id, only),
  }
}

test.each(['at once', 'from the quarantine'])(
  'the earlier file returns %s, and undoing again returns the other',
  async (when) => {
    const { ctx, clock, photo, first, current, bytes, undo } = await replacedPhoto()
    const second = await bytes()
    await expect(undo({ filename: photo.filename })).rejects.toMatchObject({ code: 'INVALID_STATE' })
    for (const [expected, original_filename, width] of [
      [first, 'a.jpg', 60],
      [second, 'retouched.jpg', 61],
      [first, 'a.jpg', 60],
    ] as const) {
      if (when !== 'at once') {
        clock.advance(hours(2))
        await sweepStorage(ctx)
      }
      await undo()
      expect(await current()).toMatchObject({ id: photo.id, source_filename: 'a.jpg', original_filename, width })
      expect((await bytes()).equals(expected)).toBe(true)
    }
  },
)

test('of several earlier files, one is chosen', async () => {
  const { ctx, event, photo, first, bytes } = await replacedPhoto()
  await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 62))
  await undoReplacement(ctx, event, photo.id, { earlier: photo.filename })
  expect((await bytes()).equals(first)).toBe(true)
  expect(await listReplaced(ctx.db, event.id, photo.id)).toHaveLength(2)
  const unknown = undoReplacement(ctx, event, photo.id, { earlier: 'other.jpg' })
  await expect(unknown).rejects.toMatchObject({ code: 'INVALID_STATE' })
})

test('a file that is no longer kept cannot return, and the photo stays as it is', async () => {
  const { ctx, clock, event, current, undo } = await replacedPhoto()
  const before = await current()
  clock.advance(days(29))
  await sweepStorage(ctx)
  expect(await ctx.db.selectFrom('replaced_files').selectAll().execute()).toHaveLength(1)
  const [{ key = '' } = {}] = await ctx.db.selectFrom('replaced_files').select('key').execute()
  await ctx.storage.restoreQuarantined(key)
  await ctx.storage.remove(key)
  await expect(undo()).rejects.toMatchObject({ code: 'INVALID_STATE' })
  clock.advance(days(2))
  await sweepStorage(ctx)
  expect(await ctx.db.selectFrom('replaced_files').selectAll().execute()).toEqual([])
  await expect(undo()).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await expect(undoReplacement(ctx, event, 999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await current()).toEqual(before)
})
