import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appErrorOf } from '../../tests/support/app-errors.ts'
import { receiveFirstPhoto, stagedPicture } from '../../tests/support/first-photo.ts'
import { storedFiles } from '../../tests/support/stored-files.ts'
import { contextWithOwnWorkers } from '../../tests/support/test-context.ts'
import { archiveEvent, restoreEvent } from '../events/change-state.ts'
import type { AppContext } from '../settings/app-context.ts'
import { deletePhoto } from './delete-photo.ts'
import { dropRenditionsOfArchivedEvents } from './drop-renditions.ts'
import { receivePhoto } from './receive-photo.ts'
import { plainLook, type RenditionWish } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'
import { replacePhoto } from './replace-photo.ts'

const wish: RenditionWish = { look: plainLook, bound_px: 640, format: 'jpeg' }

async function keptFiles({ config }: AppContext): Promise<string[]> {
  const kept = (await storedFiles(config)).filter((name) => /\/renditions\/|^staging\//.test(name))
  return kept.map((name) => basename(name))
}

const keptRows = ({ db }: AppContext) => db.selectFrom('photo_renditions').selectAll().execute()

/** An app context that counts the jobs given to its image workers. */
async function countingContext(): Promise<{ ctx: AppContext; jobs: () => number }> {
  const ctx = await contextWithOwnWorkers()
  let jobs = 0
  const run: typeof ctx.imageWorkers.run = (task, bytes) => {
    jobs++
    return ctx.imageWorkers.run(task, bytes)
  }
  return { ctx: { ...ctx, imageWorkers: { ...ctx.imageWorkers, run } }, jobs: () => jobs }
}

/** Holds up whatever the image worker does until it is let go. */
function holdWorker({ imageWorkers }: AppContext): { letGo: () => void; kill: () => void } {
  const [pid = 0] = imageWorkers.pids()
  const signal = (name: NodeJS.Signals) => process.kill(pid, name)
  signal('SIGSTOP')
  onTestFinished(() => {
    if (imageWorkers.pids().includes(pid)) signal('SIGCONT')
  })
  return { letGo: () => signal('SIGCONT'), kill: () => signal('SIGKILL') }
}

test('fifty simultaneous first demands make a picture once', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const renditions = createRenditions(ctx)
  const answers = await Promise.all(Array.from({ length: 50 }, () => renditions.get(photo, wish)))
  expect(new Set(answers.map(({ filename }) => filename)).size).toBe(1)
  expect(jobs() - before).toBe(1)
  expect(await renditions.get(photo, wish)).toEqual(answers[0])
  expect(jobs() - before).toBe(1)
  expect(await keptRows(ctx)).toEqual([answers[0]])
  expect(await keptFiles(ctx)).toEqual([answers[0]?.filename])
})

test('all widths of a format are made of one decode, whichever are asked for, at once or later', async () => {
  const { ctx, jobs } = await countingContext()
  const { event } = await receiveFirstPhoto(ctx)
  const photo = await receivePhoto(ctx, { event, file: await stagedPicture(ctx, 2600), uploadedBy: 'api' })
  const before = jobs()
  const renditions = createRenditions(ctx)
  const ask = (bound_px: number) => renditions.get(photo, { ...wish, bound_px })
  const answers = await Promise.all([640, 1280, 1920, 2560].map(ask))
  expect(answers.map(({ width }) => width)).toEqual([640, 1280, 1920, 2560])
  await Promise.all([1280, 2560].map(ask))
  expect(jobs() - before).toBe(1)
  await renditions.get(photo, { ...wish, format: 'webp' })
  expect(jobs() - before).toBe(2)
})

test('where several processes make a picture at once, one is kept and answers for all', async () => {
  const ctx = await contextWithOwnWorkers()
  const { photo } = await receiveFirstPhoto(ctx)
  const answers = await Promise.all([1, 2, 3].map(() => createRenditions(ctx).get(photo, wish)))
  expect(await keptRows(ctx)).toEqual([answers[0]])
  expect(answers).toEqual([answers[0], answers[0], answers[0]])
  expect(await keptFiles(ctx)).toEqual([answers[0]?.filename])
})

test('what takes long is PHOTO_PROCESSING with Retry-After, and is found by whoever asks again', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const worker = holdWorker(ctx)
  const renditions = createRenditions(ctx, { waitMs: 50 })
  for (let round = 0; round < 2; round++) {
    const appError = await appErrorOf(() => renditions.get(photo, wish))
    expect(appError).toMatchObject({ code: 'PHOTO_PROCESSING', status: 503 })
    expect(appError?.extras.retryAfterSeconds).toBe(5)
  }
  worker.letGo()
  await expect.poll(() => keptRows(ctx)).toHaveLength(1)
  expect(await renditions.get(photo, wish)).toMatchObject({ photo_id: photo.id })
  expect(jobs() - before).toBe(1)
})

test('a picture over which an image worker is lost is not tried at each view', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const worker = holdWorker(ctx)
  const renditions = createRenditions(ctx)
  const lost = appErrorOf(() => renditions.get(photo, wish))
  await expect.poll(jobs).toBe(before + 1)
  worker.kill()
  expect(await lost).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(await appErrorOf(() => renditions.get(photo, wish))).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(jobs() - before).toBe(1)
  expect(await keptFiles(ctx)).toEqual([])
})

test.each([
  ['replaced', 'PHOTO_PROCESSING'],
  ['deleted', 'NOT_FOUND'],
  ['archived', 'EVENT_ARCHIVED'],
])('a picture of a photo %s while it was being made is not kept: %s', async (how, code) => {
  const { ctx, jobs } = await countingContext()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const worker = holdWorker(ctx)
  const late = appErrorOf(() => createRenditions(ctx).get(photo, wish))
  await expect.poll(jobs).toBe(before + 1)
  if (how === 'deleted') await deletePhoto(ctx, event, photo.id)
  else if (how === 'archived') await archiveEvent(ctx, event.id)
  else await replacePhoto(ctx, event, photo.id, await stagedPicture(ctx, 61))
  worker.letGo()
  expect(await late).toMatchObject({ code })
  expect(await keptRows(ctx)).toEqual([])
  expect(await keptFiles(ctx)).toEqual([])
})

test('a photo replaced or deleted leaves no picture, neither row nor file', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const old = await renditions.get(photo, wish)
  const { photo: fresh } = await replacePhoto(ctx, event, photo.id, await stagedPicture(ctx, 61))
  expect(await keptRows(ctx)).toEqual([])
  expect(await keptFiles(ctx)).toEqual([])
  expect(await renditions.get(fresh, wish)).not.toMatchObject({ sha256: old.sha256 })
  await deletePhoto(ctx, event, photo.id)
  expect(await keptRows(ctx)).toEqual([])
  expect(await keptFiles(ctx)).toEqual([])
})

test('an archived event keeps none, those of other events stay, and they are made again after a restore', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const row = await renditions.get(photo, wish)
  await dropRenditionsOfArchivedEvents(ctx)
  expect(await keptRows(ctx)).toEqual([row])
  await archiveEvent(ctx, event.id)
  await dropRenditionsOfArchivedEvents(ctx)
  expect(await keptRows(ctx)).toEqual([])
  expect(await keptFiles(ctx)).toEqual([])
  await restoreEvent(ctx, event.id)
  expect(await renditions.get(photo, wish)).toMatchObject({ sha256: row.sha256 })
})
