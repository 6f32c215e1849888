import { basename } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { catchAppErrorAsync } from '../../../tests/support/clients/app-errors.ts'
import { receiveFirstPhoto, stagePicture } from '../../../tests/support/fixtures/first-photo.ts'
import { contextForTest, contextWithOwnWorkers } from '../../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../../tests/support/service/test-service.ts'
import { listStoredFiles, openStoredFile } from '../../../tests/support/storage/stored-files.ts'
import { archiveEvent, restoreEvent } from '../../events/change-state.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { minutes } from '../../platform/time/clock.ts'
import { receivePhoto } from '../../receiving/receive-photo.ts'
import { replacePhoto } from '../../receiving/replace-photo.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { deletePhoto } from '../delete-photos.ts'
import { dropRenditionsOfArchivedEvents } from '../drop-renditions.ts'
import { originalKey } from '../photo-files.ts'
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

test('fifty simultaneous requests render a picture once; of several processes one stores it for all', async () => {
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
  const webp = { ...request, format: 'webp' } as const
  const [one, ...others] = await Promise.all([1, 2, 3].map(() => createRenditions(ctx).get(photo, webp)))
  expect(others).toEqual([one, one])
  expect(await storedRows(ctx)).toHaveLength(2)
  expect((await storedRenditionFiles(ctx)).sort()).toEqual([results[0]?.filename, one?.filename].sort())
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

test('a rendition of a photo that is replaced, archived or deleted during the work is not stored', async () => {
  const { ctx, jobs } = await countingContext()
  const { event, photo } = await receiveFirstPhoto(ctx)
  let current = photo
  for (const [how, code] of [
    ['replaced', 'PHOTO_PROCESSING'],
    ['archived', 'EVENT_ARCHIVED'],
    ['deleted', 'NOT_FOUND'],
  ]) {
    if (how === 'deleted') await restoreEvent(ctx, event.id)
    const before = jobs()
    const worker = holdWorker(ctx)
    const late = catchAppErrorAsync(() => createRenditions(ctx).get(current, request))
    await expect.poll(jobs).toBe(before + 1)
    if (how === 'deleted') await deletePhoto(ctx, event, photo.id)
    else if (how === 'archived') await archiveEvent(ctx, event.id)
    else current = (await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 61))).photo
    worker.resume()
    expect(await late).toMatchObject({ code })
    expect([await storedRows(ctx), await storedRenditionFiles(ctx)]).toEqual([[], []])
  }
})

test('archiving an event or replacing or deleting a photo removes rows and files of renditions', async () => {
  const ctx = await contextWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(ctx)
  const renditions = createRenditions(ctx)
  const row = await renditions.get(photo, request)
  await dropRenditionsOfArchivedEvents(ctx)
  expect(await storedRows(ctx)).toEqual([row])
  await archiveEvent(ctx, event.id)
  await dropRenditionsOfArchivedEvents(ctx)
  expect([await storedRows(ctx), await storedRenditionFiles(ctx)]).toEqual([[], []])
  await restoreEvent(ctx, event.id)
  const old = await renditions.get(photo, request)
  expect(old).toMatchObject({ sha256: row.sha256 })
  const { photo: fresh } = await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 61))
  expect([await storedRows(ctx), await storedRenditionFiles(ctx)]).toEqual([[], []])
  expect(await renditions.get(fresh, request)).not.toMatchObject({ sha256: old.sha256 })
  await deletePhoto(ctx, event, photo.id)
  expect([await storedRows(ctx), await storedRenditionFiles(ctx)]).toEqual([[], []])
})
