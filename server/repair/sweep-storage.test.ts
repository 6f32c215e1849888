import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { receiveFirstPhoto, stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { createMovableClock } from '../../tests/support/service/test-service.ts'
import { deletePhoto } from '../photos/delete-photos.ts'
import { plainProfile } from '../photos/renditions/rendition-rows.ts'
import { createRenditions } from '../photos/renditions/renditions.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { days, hours } from '../platform/time/clock.ts'
import { replacePhoto } from '../receiving/replace-photo.ts'
import type { AppContext } from '../settings/app-context.ts'
import { sweepStorage } from './sweep-storage.ts'

const mediaOf = ({ config }: AppContext, folder: string): string => join(config.dataDir, 'media', folder)

async function filesIn(ctx: AppContext, folder: string): Promise<string[]> {
  const root = mediaOf(ctx, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

async function setAge(ctx: AppContext, key: string, ageMs: number): Promise<void> {
  const time = new Date(ctx.clock.now() - ageMs)
  await utimes(join(mediaOf(ctx, 'files'), key), time, time)
}

/** Creates files without a row, as after a crash. */
async function leaveStrays(ctx: AppContext, count: number, ageMs: number, folder = 'originals'): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `stray-${String(index).padStart(3, '0')}.jpg`)
  for (const name of names) {
    const key = `events/7/${folder}/${name}`
    await mkdir(dirname(join(mediaOf(ctx, 'files'), key)), { recursive: true })
    await writeFile(join(mediaOf(ctx, 'files'), key), 'a')
    await setAge(ctx, key, ageMs)
  }
  return names
}

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

test('a stored file without a row is quarantined after 24 hours, and stays in lost+found for 30 days', async () => {
  const ctx = await contextForTest()
  await leaveStrays(ctx, 1, hours(24) - 60_000)
  await sweepStorage(ctx)
  expect(await filesIn(ctx, 'files')).toEqual(['stray-000.jpg'])
  await leaveStrays(ctx, 1, hours(24) + 60_000)
  const path = join(mediaOf(ctx, 'lost+found'), 'events/7/originals/stray-000.jpg')
  for (const quarantinedDays of [0, 29, 31]) {
    const time = new Date(Date.now() - days(quarantinedDays))
    if (quarantinedDays > 0) await utimes(path, time, time)
    await sweepStorage(ctx)
    expect(await filesIn(ctx, 'files')).toEqual([])
    expect(await filesIn(ctx, 'lost+found')).toEqual(quarantinedDays > 30 ? [] : ['stray-000.jpg'])
  }
})

test('a rendition without a row is deleted after 24 hours and not counted as a stray', async () => {
  const ctx = await contextForTest()
  await leaveStrays(ctx, 150, hours(24) - 60_000, 'renditions')
  await sweepStorage(ctx)
  expect(await filesIn(ctx, 'files')).toHaveLength(150)
  await leaveStrays(ctx, 150, hours(24) + 60_000, 'renditions')
  await leaveStrays(ctx, 5, hours(25))
  await sweepStorage(ctx)
  expect(await filesIn(ctx, 'files')).toEqual([])
  expect(await filesIn(ctx, 'lost+found')).toHaveLength(5)
})

test('many files without a row from 10 on stay and raise a warning until they are gone', async () => {
  const ctx = await contextForTest()
  for (const [count, staying] of [
    [9, 0],
    [10, 10],
    [101, 101],
  ] as const) {
    const names = await leaveStrays(ctx, count, hours(25))
    await sweepStorage(ctx)
    expect(await filesIn(ctx, 'files')).toEqual(names.slice(0, staying))
    expect(await filesIn(ctx, 'lost+found')).toHaveLength(9)
    const facts = staying === 0 ? undefined : { strays: staying, files: staying }
    expect(ctx.warnings.find('sweep')?.facts).toEqual(facts)
  }
  await ctx.storage.removePrefix('events/7')
  await sweepStorage(ctx)
  expect(ctx.warnings.find('sweep')).toBeUndefined()
})

test('many files without a row from 101 on stay among 20,000 younger files', async () => {
  const ctx = await contextForTest({ edges: { wrapStorage: withYoungFiles(20_000) } })
  for (const [count, staying] of [
    [100, 0],
    [101, 101],
  ] as const) {
    await leaveStrays(ctx, count, hours(25))
    await sweepStorage(ctx)
    expect(await filesIn(ctx, 'files')).toHaveLength(staying)
  }
})

test('a photo keeps its files and renditions, however old they are', async () => {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { photo } = await receiveFirstPhoto(ctx)
  const request = { profile: plainProfile, bound_px: 640, format: 'webp' } as const
  const { filename } = await createRenditions(ctx).get(photo, request)
  clock.advance(days(400))
  await sweepStorage(ctx)
  expect(await filesIn(ctx, 'files')).toEqual([photo.filename, photo.thumbnail_filename, filename].sort())
  expect(await filesIn(ctx, 'lost+found')).toEqual([])
})

test('a photo that was replaced or deleted keeps its original for an hour, for running downloads', async () => {
  const clock = createMovableClock()
  const ctx = await contextForTest({ edges: { clock } })
  const { event, photo } = await receiveFirstPhoto(ctx)
  const { photo: next } = await replacePhoto(ctx, event, photo.id, await stagePicture(ctx, 61))
  for (const { filename } of [photo, next]) {
    if (filename === next.filename) await deletePhoto(ctx, event, photo.id)
    clock.advance(hours(1) - 60_000)
    await sweepStorage(ctx)
    expect(await filesIn(ctx, 'files')).toContain(filename)
    clock.advance(120_000)
    await sweepStorage(ctx)
    expect(await filesIn(ctx, 'files')).toHaveLength(filename === next.filename ? 0 : 2)
    expect(await filesIn(ctx, 'lost+found')).toContain(filename)
    expect(await ctx.db.selectFrom('retired_files').selectAll().execute()).toEqual([])
  }
})
