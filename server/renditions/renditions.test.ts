import { basename } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { catchAppErrorAsync } from '../../tests/support/clients/app-errors.ts'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { contextForTest, contextWithOwnWorkers } from '../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../tests/support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../tests/support/storage/stored-files.ts'
import { archiveEvent, restoreEvent } from '../events/change-state.ts'
import { deletePhoto } from '../photos/delete-photos.ts'
import { dropRenditionsOfArchivedEvents } from '../photos/drop-renditions.ts'
import { originalKey } from '../photos/photo-files.ts'
import { minutes } from '../platform/clock.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { receivePhoto } from '../receiving/receive-photo.ts'
import { replacePhoto } from '../receiving/replace-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { plainProfile, type RenditionRequest } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'

const request: RenditionRequest = { profile: plainProfile, bound_px: 640, format: 'jpeg' }

async function storedRenditionFiles({ config }: AppContext): Promise<string[]> {
  const kept = (await listStoredFiles(config)).filter((name) => /\/renditions\/|^staging\//.test(name))
  return kept.map((name) => basename(name))
}

const storedRows = ({ db }: AppContext) => db.selectFrom('photo_renditions').selectAll().execute()

async function countingContext(): Promise<{ ctx: AppContext; jobs: () => number }> {
  const ctx = await contextWithOwnWorkers()
  const run = vi.spyOn(ctx.imageWorkers, 'run')
  return { ctx, jobs: () => run.mock.calls.length }
}

/** Pauses the image worker until `resume`. */
function holdWorker({ imageWorkers }: AppContext): { resume: () => void; kill: () => void } {
  const [pid = 0] = imageWorkers.pids()
  const signal = (name: NodeJS.Signals) => process.kill(pid, name)
  signal('SIGSTOP')
  onTestFinished(() => {
    if (imageWorkers.pids().includes(pid)) signal('SIGCONT')
  })
  return { resume: () => signal('SIGCONT'), kill: () => signal('SIGKILL') }
}

test('fifty simultaneous requests render a picture once', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const renditions = createRenditions(ctx)
  const results = await Promise.all(Array.from({ length: 50 }, () => renditions.get(photo, request)))
  expect(new Set(results.map(({ filename }) => filename)).size).toBe(1)
  expect(jobs() - before).toBe(1)
  expect(await renditions.get(photo, request)).toEqual(results[0])
  expect(jobs() - before).toBe(1)
  expect(await storedRows(ctx)).toEqual([results[0]])
  expect(await storedRenditionFiles(ctx)).toEqual([results[0]?.filename])
})

test('the widths of a format are made from one decode, except the widest', async () => {
  const { ctx, jobs } = await countingContext()
  const { event } = await receiveFirstPhoto(ctx)
  const photo = await receivePhoto(ctx, { event, file: await stagePicture(ctx, 2600), uploadedBy: 'api' })
  const before = jobs()
  const renditions = createRenditions(ctx)
  const ask = (bound_px: number) => renditions.get(photo, { ...request, bound_px })
  const results = await Promise.all([640, 1280, 1920].map(ask))
  expect(results.map(({ width }) => width)).toEqual([640, 1280, 1920])
  expect(jobs() - before).toBe(1)
  expect(await ask(2560)).toMatchObject({ width: 2560 })
  expect(jobs() - before).toBe(2)
  await Promise.all([1280, 2560].map(ask))
  expect(jobs() - before).toBe(2)
  await renditions.get(photo, { ...request, format: 'webp' })
  expect(jobs() - before).toBe(3)
})

test('if several processes make a rendition, one is stored and returned to all', async () => {
  const ctx = await contextWithOwnWorkers()
  const { photo } = await receiveFirstPhoto(ctx)
  const results = await Promise.all([1, 2, 3].map(() => createRenditions(ctx).get(photo, request)))
  expect(await storedRows(ctx)).toEqual([results[0]])
  expect(results).toEqual([results[0], results[0], results[0]])
  expect(await storedRenditionFiles(ctx)).toEqual([results[0]?.filename])
})

test('a slow rendition is PHOTO_PROCESSING with Retry-After and is stored later', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const worker = holdWorker(ctx)
  const renditions = createRenditions(ctx, { waitMs: 50 })
  for (let round = 0; round < 2; round++) {
    const appError = await catchAppErrorAsync(() => renditions.get(photo, request))
    expect(appError).toMatchObject({ code: 'PHOTO_PROCESSING', status: 503 })
    expect(appError?.extras.retryAfterSeconds).toBe(5)
  }
  worker.resume()
  await expect.poll(() => storedRows(ctx)).toHaveLength(1)
  expect(await renditions.get(photo, request)).toMatchObject({ photo_id: photo.id })
  expect(jobs() - before).toBe(1)
})

test('a picture that crashes an image worker is not tried again at once', async () => {
  const { ctx, jobs } = await countingContext()
  const { photo } = await receiveFirstPhoto(ctx)
  const before = jobs()
  const worker = holdWorker(ctx)
  const renditions = createRenditions(ctx)
  const lost = catchAppErrorAsync(() => renditions.get(photo, request))
  await expect.poll(jobs).toBe(before + 1)
  worker.kill()
  expect(await lost).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(await catchAppErrorAsync(() => renditions.get(photo, request))).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(jobs() - before).toBe(1)
  expect(await storedRenditionFiles(ctx)).toEqual([])
})

test('a failed JPEG is tried again later', async () => {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event, photo } = await receiveFirstPhoto(ctx)
  const original = openStoredFile(ctx.config, `files/${originalKey(event.id, photo.filename)}`)
  const bytes = await original.read()
  await original.remove()
  const renditions = createRenditions(ctx)
  const attempt = () => renditions.warm(photo, request, { isUrgent: true })
  await expect(attempt()).rejects.toThrow(FileMissing)
  expect(renditions.hasFailed(photo, request)).toBe(true)
  clock.advance(minutes(2))
  expect(renditions.hasFailed(photo, request)).toBe(false)
  await original.write(bytes)
  await attempt()
  expect(await storedRows(ctx)).toMatchObject([{ photo_id: photo.id }])
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
  const late = catchAppErrorAsync(() => createRenditions(ctx).get(photo, request))
  await expect.poll(jobs).toBe(before + 1)
  if (how === 'deleted') await deletePhoto(ctx, event, photo.id)
  else if (how === 'archived') await archiveEvent(ctx, event.id)
  else await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 61))
  worker.resume()
  expect(await late).toMatchObject({ code })
  expect(await storedRows(ctx)).toEqual([])
  expect(await storedRenditionFiles(ctx)).toEqual([])
})

test('replacing or deleting a photo removes rows and files of its renditions', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const old = await renditions.get(photo, request)
  const { photo: fresh } = await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 61))
  expect(await storedRows(ctx)).toEqual([])
  expect(await storedRenditionFiles(ctx)).toEqual([])
  expect(await renditions.get(fresh, request)).not.toMatchObject({ sha256: old.sha256 })
  await deletePhoto(ctx, event, photo.id)
  expect(await storedRows(ctx)).toEqual([])
  expect(await storedRenditionFiles(ctx)).toEqual([])
})

test('renditions of archived events are deleted and made again after a restore', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const row = await renditions.get(photo, request)
  await dropRenditionsOfArchivedEvents(ctx)
  expect(await storedRows(ctx)).toEqual([row])
  await archiveEvent(ctx, event.id)
  await dropRenditionsOfArchivedEvents(ctx)
  expect(await storedRows(ctx)).toEqual([])
  expect(await storedRenditionFiles(ctx)).toEqual([])
  await restoreEvent(ctx, event.id)
  expect(await renditions.get(photo, request)).toMatchObject({ sha256: row.sha256 })
})
