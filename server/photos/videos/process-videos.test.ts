import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { clip, createGatedFfmpeg, createScriptedFfmpeg } from '../../../tests/support/media/videos.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import type { ContextOverrides } from '../../create-app-context.ts'
import { StorageFull } from '../../platform/storage/storage.ts'
import { writeStaged } from '../../platform/storage/write-staged.ts'
import { minutes } from '../../platform/time/clock.ts'
import { receivePhoto } from '../../receiving/receive-photo.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { startVideoProcessing } from './process-videos.ts'

/** The videos of these tests are decoded by the ffmpeg at `path`, if any. */
async function contextWithFfmpeg(path?: string, edges: ContextOverrides = {}) {
  const clock = createMovableClock()
  const ctx = await contextForTest({ environment: path ? { FFMPEG_PATH: path } : {}, edges: { clock, ...edges } })
  await ctx.settings.change({ general_allowed_file_types: 'jpg,avi' })
  const { event } = await receiveFirstPhoto(ctx)
  const receive = async () => {
    const staged = await writeStaged(ctx.storage, Readable.from([await clip('film.avi')]))
    const file = { ...staged, clientName: 'film.avi' }
    return (await receivePhoto(ctx, { event, file, family: 'video', uploadedBy: 'admin' })).id
  }
  return { ctx, clock, receive }
}

function processing(ctx: AppContext) {
  const work = startVideoProcessing(ctx)
  onTestFinished(work.stop)
  return work
}

const statusOf = async ({ db }: AppContext, id: number) =>
  (await db.selectFrom('photos').select('processing_status').where('id', '=', id).executeTakeFirstOrThrow())
    .processing_status

const jobOf = ({ db }: AppContext) => db.selectFrom('video_jobs').selectAll().executeTakeFirst()

test('a stop releases the video without counting the attempt, and the next start processes it', async () => {
  const gate = await createGatedFfmpeg()
  const { ctx, receive } = await contextWithFfmpeg(gate.path)
  const first = processing(ctx)
  const id = await receive()
  await expect.poll(async () => (await jobOf(ctx))?.attempts).toBe(1)
  await first.stop()
  expect(await jobOf(ctx)).toMatchObject({ attempts: 0, claimed_until: 0 })
  expect(await statusOf(ctx, id)).toBe('processing')

  await gate.open()
  processing(ctx)
  await expect.poll(() => statusOf(ctx, id)).toBe('ready')
  expect(await jobOf(ctx)).toBeUndefined()
})

test('several workers process each video once, one after another', async () => {
  const { ctx, receive } = await contextWithFfmpeg(await createScriptedFfmpeg())
  const { capture } = ctx.videoStills
  let log: string[] = []
  ctx.videoStills.capture = (task) => {
    log.push('begin')
    return capture(task).finally(() => log.push('end'))
  }
  const workers = [processing(ctx), processing(ctx)]
  const ids = [await receive(), await receive(), await receive()]
  for (const id of ids) await expect.poll(() => statusOf(ctx, id)).toBe('ready')
  expect(log.filter((entry) => entry === 'begin')).toHaveLength(ids.length)
  await Promise.all(workers.map(({ stop }) => stop()))

  log = []
  processing(ctx)
  const [next, last] = [await receive(), await receive()]
  for (const id of [next, last]) await expect.poll(() => statusOf(ctx, id)).toBe('ready')
  expect(log).toEqual(['begin', 'end', 'begin', 'end'])
})

test('on a full disk videos are tried again after five minutes', async () => {
  let isFull = false
  const { ctx, clock, receive } = await contextWithFfmpeg(undefined, {
    wrapStorage: (storage) => ({
      ...storage,
      ensureSpaceFor: (bytes) => (isFull ? Promise.reject(new StorageFull()) : storage.ensureSpaceFor(bytes)),
    }),
  })
  const id = await receive()
  isFull = true
  const work = processing(ctx)
  const due = async () => Math.round((((await jobOf(ctx))?.claimed_until ?? 0) - clock.now()) / minutes(1))
  await expect.poll(due).toBe(5)
  expect(await statusOf(ctx, id)).toBe('processing')
  expect((await jobOf(ctx))?.attempts).toBe(0)
  await work.stop()
})

test('a video fails after three crashes of the service', async () => {
  const { ctx, receive } = await contextWithFfmpeg()
  const id = await receive()
  await ctx.db.updateTable('video_jobs').set({ attempts: 3 }).execute()
  processing(ctx)
  await expect.poll(() => statusOf(ctx, id)).toBe('failed')
  const photo = await ctx.db.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(photo.processing_error).toContain('interrupted')
})
