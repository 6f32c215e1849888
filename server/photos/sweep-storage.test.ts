import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { receiveFirstPhoto, stagedPicture } from '../../tests/support/first-photo.ts'
import { houseForTest } from '../../tests/support/test-house.ts'
import { movableClock } from '../../tests/support/test-service.ts'
import { days, hours } from '../platform/clock.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { House } from '../settings/house.ts'
import { deletePhoto } from './delete-photo.ts'
import { plainLook } from './rendition-rows.ts'
import { createRenditions } from './renditions.ts'
import { replacePhoto } from './replace-photo.ts'
import { sweepStorage } from './sweep-storage.ts'

const mediaOf = ({ config }: House, folder: string): string => join(config.dataDir, 'media', folder)

async function filesIn(house: House, folder: string): Promise<string[]> {
  const root = mediaOf(house, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

async function setAge(house: House, key: string, ageMs: number): Promise<void> {
  const time = new Date(house.clock.now() - ageMs)
  await utimes(join(mediaOf(house, 'files'), key), time, time)
}

/** Files that no row names, as a crash between storing and recording leaves them. */
async function leaveStrays(house: House, count: number, ageMs: number, folder = 'originals'): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `stray-${String(index).padStart(3, '0')}.jpg`)
  for (const name of names) {
    const key = `events/7/${folder}/${name}`
    await mkdir(dirname(join(mediaOf(house, 'files'), key)), { recursive: true })
    await writeFile(join(mediaOf(house, 'files'), key), 'a')
    await setAge(house, key, ageMs)
  }
  return names
}

/** Lists further files beside those that are there. */
const withYoungFiles =
  (count: number) =>
  (storage: Storage): Storage => ({
    ...storage,
    async *list(prefix) {
      yield* storage.list(prefix)
      const file = { sizeBytes: 1, modifiedAt: Date.now() }
      for (let index = 0; index < count; index++) yield { ...file, key: `events/8/originals/${index}.jpg` }
    },
  })

describe('a stored file that no row names', () => {
  test('is set aside when it is 24 hours old, and left alone before', async () => {
    const house = await houseForTest()
    await leaveStrays(house, 1, hours(24) - 60_000)
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toEqual(['stray-000.jpg'])
    await leaveStrays(house, 1, hours(24) + 60_000)
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toEqual([])
    expect(await filesIn(house, 'lost+found')).toEqual(['stray-000.jpg'])
  })

  test('is kept in lost+found for 30 days', async () => {
    const house = await houseForTest()
    await leaveStrays(house, 1, hours(25))
    await sweepStorage(house)
    const path = join(mediaOf(house, 'lost+found'), 'events/7/originals/stray-000.jpg')
    const setAgeTo = (ageMs: number) => utimes(path, new Date(Date.now() - ageMs), new Date(Date.now() - ageMs))
    await setAgeTo(days(29))
    await sweepStorage(house)
    expect(await filesIn(house, 'lost+found')).toEqual(['stray-000.jpg'])
    await setAgeTo(days(31))
    await sweepStorage(house)
    expect(await filesIn(house, 'lost+found')).toEqual([])
  })
})

describe('a rendition', () => {
  test('keeps its file, however old it is', async () => {
    const clock = movableClock()
    const house = await houseForTest({ edges: { clock } })
    const { photo } = await receiveFirstPhoto(house)
    const { filename } = await createRenditions(house).get(photo, {
      look: plainLook,
      bound_px: 640,
      format: 'webp',
    })
    clock.advance(days(400))
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toContain(filename)
    expect(await filesIn(house, 'lost+found')).toEqual([])
  })

  test('without a row is deleted after 24 hours, however many there are, and is no stray', async () => {
    const house = await houseForTest()
    await leaveStrays(house, 150, hours(24) - 60_000, 'renditions')
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toHaveLength(150)
    await leaveStrays(house, 150, hours(24) + 60_000, 'renditions')
    await leaveStrays(house, 5, hours(25))
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toEqual([])
    expect(await filesIn(house, 'lost+found')).toHaveLength(5)
  })
})

describe('many such files at once mean that something else is wrong', () => {
  test.each([
    [9, 0],
    [10, 10],
    [101, 101],
  ])('of %i files that are all strays, %i stay', async (count, staying) => {
    const house = await houseForTest()
    const names = await leaveStrays(house, count, hours(25))
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toEqual(names.slice(0, staying))
    expect(await filesIn(house, 'lost+found')).toHaveLength(count - staying)
  })

  test('the operator is told, until it is well again', async () => {
    const house = await houseForTest()
    const names = await leaveStrays(house, 12, hours(25))
    await sweepStorage(house)
    expect(house.warnings.find('sweep')?.facts).toEqual({ strays: 12, files: 12 })
    for (const name of names) await house.storage.remove(`events/7/originals/${name}`)
    await sweepStorage(house)
    expect(house.warnings.find('sweep')).toBeUndefined()
  })

  test.each([
    [100, 0],
    [101, 101],
  ])('of %i strays among 20,000 younger files, %i stay', async (count, staying) => {
    const house = await houseForTest({ edges: { wrapStorage: withYoungFiles(20_000) } })
    await leaveStrays(house, count, hours(25))
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toHaveLength(staying)
  })
})

describe('a photo', () => {
  test('keeps its files, however old they are', async () => {
    const clock = movableClock()
    const house = await houseForTest({ edges: { clock } })
    const { photo } = await receiveFirstPhoto(house)
    clock.advance(days(400))
    await sweepStorage(house)
    expect(await filesIn(house, 'files')).toEqual([photo.filename, photo.thumbnail_filename].sort())
    expect(await filesIn(house, 'lost+found')).toEqual([])
  })

  test.each(['replaced', 'deleted'])(
    'that was %s leaves its original for an hour, for downloads under way',
    async (how) => {
      const clock = movableClock()
      const house = await houseForTest({ edges: { clock } })
      const { event, photo } = await receiveFirstPhoto(house)
      if (how === 'deleted') await deletePhoto(house, event, photo.id)
      else await replacePhoto(house, event, photo.id, await stagedPicture(house, 61))
      clock.advance(hours(1) - 60_000)
      await sweepStorage(house)
      expect(await filesIn(house, 'files')).toContain(photo.filename)
      clock.advance(120_000)
      await sweepStorage(house)
      expect(await filesIn(house, 'files')).not.toContain(photo.filename)
      expect(await filesIn(house, 'lost+found')).toEqual([photo.filename])
      expect(await house.db.selectFrom('retired_files').selectAll().execute()).toEqual([])
      expect(await filesIn(house, 'files')).toHaveLength(how === 'deleted' ? 0 : 2)
    },
  )
})
