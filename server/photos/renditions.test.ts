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
import { plainProfile, type RenditionRequest } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'
import { replacePhoto } from './replace-photo.ts'

const wish: RenditionRequest = { look: plainProfile, bound_px: 640, format: 'jpeg' }

async function keptFiles({ config }: AppContext): Promise<string[]> {
  const kept = (await storedFiles(config)).filter((name) => /\/renditions\/|^staging\//.test(name))
  return kept.map((name) => basename(name))
}

const keptRows = ({ db }: AppContext) => db.selectFrom('photo_renditions').selectAll().execute()

async function countingContext(): Promise<{ ctx: AppContext; jobs: () => number }> {
  const ctx = await contextWithOwnWorkers()
  let jobs = 0
  const run: typeof ctx.imageWorkers.run = (task, bytes) => {
    jobs++
    return ctx.imageWorkers.run(task, bytes)
  }
  return { ctx: { ...ctx, imageWorkers: { ...ctx.imageWorkers, run } }, jobs: () => jobs }
}

/** Pauses the image worker until `resume`. */
function holdWorker({ imageWorkers }: AppContext): { letGo: () => void; kill: () => void } {
  const [pid = 0] = imageWorkers.pids()
  const signal = (name: NodeJS.Signals) => process.kill(pid, name)
  signal('SIGSTOP')
  onTestFinished(() => {
    if (imageWorkers.pids().includes(pid)) signal('SIGCONT')
  })
  return { letGo: () => signal('SIGCONT'), kill: () => signal('SIGKILL') }
}

test('fifty simultaneous requests render a picture once', async () => {
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

test('all widths of a format are made from one decode', async () => {
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

test('if several processes make a rendition, one is stored and returned to all', async () => {
  const ctx = await contextWithOwnWorkers()
  const { photo } = await receiveFirstPhoto(ctx)
  const answers = await Promise.all([1, 2, 3].map(() => createRenditions(ctx).get(photo, wish)))
  expect(await keptRows(ctx)).toEqual([answers[0]])
  expect(answers).toEqual([answers[0], answers[0], answers[0]])
  expect(await keptFiles(ctx)).toEqual([answers[0]?.filename])
})

test('a slow rendition is PHOTO_PROCESSING with Retry-After and is stored later', async () => {
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

test('a picture that crashes an image worker is not tried again at once', async () => {
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
])('a rendition of a photo that is %s during the work is not stored: %s', async (how, code) => {
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

test('replacing or deleting a photo removes rows and files of its renditions', async () => {
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

test('renditions of archived events are deleted and made again after a restore', async () => {
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
