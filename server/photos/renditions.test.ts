import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { receiveFirstPhoto, stagedPicture } from '../../tests/support/first-photo.ts'
import { refusalOf } from '../../tests/support/refusals.ts'
import { storedFiles } from '../../tests/support/stored-files.ts'
import { houseWithOwnWorkers } from '../../tests/support/test-house.ts'
import { archiveEvent, restoreEvent } from '../events/change-state.ts'
import type { House } from '../settings/house.ts'
import { deletePhoto } from './delete-photo.ts'
import { dropRenditionsOfArchivedEvents } from './drop-renditions.ts'
import { receivePhoto } from './receive-photo.ts'
import { plainLook, type RenditionWish } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'
import { replacePhoto } from './replace-photo.ts'

const wish: RenditionWish = { look: plainLook, bound_px: 640, format: 'jpeg' }

async function keptFiles({ config }: House): Promise<string[]> {
  const kept = (await storedFiles(config)).filter((name) => /\/renditions\/|^staging\//.test(name))
  return kept.map((name) => basename(name))
}

const keptRows = ({ db }: House) => db.selectFrom('photo_renditions').selectAll().execute()

/** A house that counts the jobs given to its image workers. */
async function countingHouse(): Promise<{ house: House; jobs: () => number }> {
  const house = await houseWithOwnWorkers()
  let jobs = 0
  const run: typeof house.imageWorkers.run = (task, bytes) => {
    jobs++
    return house.imageWorkers.run(task, bytes)
  }
  return { house: { ...house, imageWorkers: { ...house.imageWorkers, run } }, jobs: () => jobs }
}

/** Holds up whatever the image worker does until it is let go. */
function holdWorker({ imageWorkers }: House): { letGo: () => void; kill: () => void } {
  const [pid = 0] = imageWorkers.pids()
  const signal = (name: NodeJS.Signals) => process.kill(pid, name)
  signal('SIGSTOP')
  onTestFinished(() => {
    if (imageWorkers.pids().includes(pid)) signal('SIGCONT')
  })
  return { letGo: () => signal('SIGCONT'), kill: () => signal('SIGKILL') }
}

test('fifty simultaneous first demands make a picture once', async () => {
  const { house, jobs } = await countingHouse()
  const { photo } = await receiveFirstPhoto(house)
  const before = jobs()
  const renditions = createRenditions(house)
  const answers = await Promise.all(Array.from({ length: 50 }, () => renditions.get(photo, wish)))
  expect(new Set(answers.map(({ filename }) => filename)).size).toBe(1)
  expect(jobs() - before).toBe(1)
  expect(await renditions.get(photo, wish)).toEqual(answers[0])
  expect(jobs() - before).toBe(1)
  expect(await keptRows(house)).toEqual([answers[0]])
  expect(await keptFiles(house)).toEqual([answers[0]?.filename])
})

test('all widths of a format are made of one decode, whichever are asked for, at once or later', async () => {
  const { house, jobs } = await countingHouse()
  const { event } = await receiveFirstPhoto(house)
  const photo = await receivePhoto(house, { event, file: await stagedPicture(house, 2600), uploadedBy: 'api' })
  const before = jobs()
  const renditions = createRenditions(house)
  const ask = (bound_px: number) => renditions.get(photo, { ...wish, bound_px })
  const answers = await Promise.all([640, 1280, 1920, 2560].map(ask))
  expect(answers.map(({ width }) => width)).toEqual([640, 1280, 1920, 2560])
  await Promise.all([1280, 2560].map(ask))
  expect(jobs() - before).toBe(1)
  await renditions.get(photo, { ...wish, format: 'webp' })
  expect(jobs() - before).toBe(2)
})

test('where several processes make a picture at once, one is kept and answers for all', async () => {
  const house = await houseWithOwnWorkers()
  const { photo } = await receiveFirstPhoto(house)
  const answers = await Promise.all([1, 2, 3].map(() => createRenditions(house).get(photo, wish)))
  expect(await keptRows(house)).toEqual([answers[0]])
  expect(answers).toEqual([answers[0], answers[0], answers[0]])
  expect(await keptFiles(house)).toEqual([answers[0]?.filename])
})

test('what takes long is PHOTO_PROCESSING with Retry-After, and is found by whoever asks again', async () => {
  const { house, jobs } = await countingHouse()
  const { photo } = await receiveFirstPhoto(house)
  const before = jobs()
  const worker = holdWorker(house)
  const renditions = createRenditions(house, { waitMs: 50 })
  for (let round = 0; round < 2; round++) {
    const refusal = await refusalOf(() => renditions.get(photo, wish))
    expect(refusal).toMatchObject({ code: 'PHOTO_PROCESSING', status: 503 })
    expect(refusal?.extras.retryAfterSeconds).toBe(5)
  }
  worker.letGo()
  await expect.poll(() => keptRows(house)).toHaveLength(1)
  expect(await renditions.get(photo, wish)).toMatchObject({ photo_id: photo.id })
  expect(jobs() - before).toBe(1)
})

test('a picture over which an image worker is lost is not tried at each view', async () => {
  const { house, jobs } = await countingHouse()
  const { photo } = await receiveFirstPhoto(house)
  const before = jobs()
  const worker = holdWorker(house)
  const renditions = createRenditions(house)
  const lost = refusalOf(() => renditions.get(photo, wish))
  await expect.poll(jobs).toBe(before + 1)
  worker.kill()
  expect(await lost).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(await refusalOf(() => renditions.get(photo, wish))).toMatchObject({ code: 'PREVIEW_UNAVAILABLE' })
  expect(jobs() - before).toBe(1)
  expect(await keptFiles(house)).toEqual([])
})

test.each([
  ['replaced', 'PHOTO_PROCESSING'],
  ['deleted', 'NOT_FOUND'],
  ['archived', 'EVENT_ARCHIVED'],
])('a picture of a photo %s while it was being made is not kept: %s', async (how, code) => {
  const { house, jobs } = await countingHouse()
  const { event, photo } = await receiveFirstPhoto(house)
  const before = jobs()
  const worker = holdWorker(house)
  const late = refusalOf(() => createRenditions(house).get(photo, wish))
  await expect.poll(jobs).toBe(before + 1)
  if (how === 'deleted') await deletePhoto(house, event, photo.id)
  else if (how === 'archived') await archiveEvent(house, event.id)
  else await replacePhoto(house, event, photo.id, await stagedPicture(house, 61))
  worker.letGo()
  expect(await late).toMatchObject({ code })
  expect(await keptRows(house)).toEqual([])
  expect(await keptFiles(house)).toEqual([])
})

test('a photo replaced or deleted leaves no picture, neither row nor file', async () => {
  const house = await houseWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(house)
  const renditions = createRenditions(house)
  const old = await renditions.get(photo, wish)
  const { photo: fresh } = await replacePhoto(house, event, photo.id, await stagedPicture(house, 61))
  expect(await keptRows(house)).toEqual([])
  expect(await keptFiles(house)).toEqual([])
  expect(await renditions.get(fresh, wish)).not.toMatchObject({ sha256: old.sha256 })
  await deletePhoto(house, event, photo.id)
  expect(await keptRows(house)).toEqual([])
  expect(await keptFiles(house)).toEqual([])
})

test('an archived event keeps none, those of other events stay, and they are made again after a restore', async () => {
  const house = await houseWithOwnWorkers()
  const { event, photo } = await receiveFirstPhoto(house)
  const renditions = createRenditions(house)
  const row = await renditions.get(photo, wish)
  await dropRenditionsOfArchivedEvents(house)
  expect(await keptRows(house)).toEqual([row])
  await archiveEvent(house, event.id)
  await dropRenditionsOfArchivedEvents(house)
  expect(await keptRows(house)).toEqual([])
  expect(await keptFiles(house)).toEqual([])
  await restoreEvent(house, event.id)
  expect(await renditions.get(photo, wish)).toMatchObject({ sha256: row.sha256 })
})
