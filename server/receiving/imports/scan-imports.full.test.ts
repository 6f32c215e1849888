import { appendFile, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { jpeg } from '../../../tests/support/media/pictures.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { type Storage, StorageFull, StorageUnavailable } from '../../platform/storage/storage.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { folderSource } from './folder-source.ts'
import { recordImported } from './import-rows.ts'
import { createImportScan } from './scan-imports.ts'

type Wrap = (storage: Storage) => Partial<Storage>

/** Creates an event with one photo and its import folder. With `settleMs` 0, scans import files at once. */
async function setUpImports(wrap: Wrap = () => ({})) {
  const ctx = await contextForTest({ edges: { wrapStorage: (storage) => ({ ...storage, ...wrap(storage) }) } })
  const { event } = await receiveFirstPhoto(ctx)
  const folder = join(ctx.config.importDir, event.slug)
  await mkdir(folder, { recursive: true })
  const newScan = (settleMs = 0) => createImportScan(ctx, folderSource(ctx.config.importDir), settleMs)
  return { ctx, event, folder, newScan, scan: newScan() }
}

const { signal } = new AbortController()

async function importedNames({ db }: AppContext): Promise<string[]> {
  const rows = await db.selectFrom('photos').select('original_filename').where('uploaded_by', '=', 'import').execute()
  return rows.map(({ original_filename }) => original_filename).sort()
}

test('an import scan imports a file only after it is unchanged for `settleMs`', async () => {
  const { ctx, folder, newScan } = await setUpImports()
  const settleMs = 60_000
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const scan = newScan(settleMs)
  const picture = await jpeg()
  for (const bytes of [picture, Buffer.from('and more')]) {
    await appendFile(join(folder, 'a.jpg'), bytes)
    for (const _ of [1, 2]) expect((await scan(signal)).importCounts.imported).toBe(0)
    vi.advanceTimersByTime(settleMs)
  }
  expect((await scan(signal)).importCounts.imported).toBe(1)
  const importCounts = ctx.db.selectFrom('photos').select('size_bytes').where('uploaded_by', '=', 'import')
  expect(await importCounts.execute()).toEqual([{ size_bytes: picture.length + 8 }])
})

test('an import scan creates nothing behind a link in place of .imported, and keeps the file', async () => {
  const { ctx, folder, scan } = await setUpImports()
  const outside = await temporaryFolder()
  await symlink(outside, join(ctx.config.importDir, '.imported'))
  await writeFile(join(folder, 'a.jpg'), await jpeg())
  expect((await scan(signal)).importCounts.imported).toBe(1)
  expect(await readdir(outside)).toEqual([])
  expect(await readdir(folder)).toEqual(['a.jpg'])
})

test('an import scan imports no file that grows or is overwritten while it is read', async () => {
  let whileReading = async () => undefined as unknown
  const { ctx, folder, scan } = await setUpImports((storage) => ({
    stage: async () => storage.stage().finally(whileReading),
  }))
  const [path, picture] = [join(folder, 'a.jpg'), await jpeg()]
  for (const change of [() => appendFile(path, 'and more'), () => writeFile(path, picture)]) {
    await writeFile(path, picture)
    whileReading = change
    await scan(signal)
    expect(await importedNames(ctx)).toEqual([])
  }
  whileReading = async () => undefined
  await scan(signal)
  expect(await importedNames(ctx)).toEqual(['a.jpg'])
})

test('an import scan imports a file that replaces one just imported as another photo', async () => {
  let afterStoring = async () => undefined as unknown
  const { ctx, event, folder, scan } = await setUpImports((storage) => ({
    commit: async (files) => storage.commit(files).finally(afterStoring),
  }))
  await writeFile(join(folder, 'a.jpg'), await jpeg({ seed: 1 }))
  await writeFile(join(folder, '.new'), await jpeg({ seed: 2 }))
  afterStoring = () => rename(join(folder, '.new'), join(folder, 'a.jpg'))
  await scan(signal)
  expect(await importedNames(ctx)).toEqual(['a.jpg'])
  expect(await readdir(folder)).toEqual(['a.jpg'])
  afterStoring = async () => undefined
  await scan(signal)
  expect(await importedNames(ctx)).toEqual(['a.jpg', 'a.jpg'])
  expect(await readdir(folder)).toEqual([])
  expect(await readdir(join(ctx.config.importDir, '.imported', event.slug))).toEqual(['a.jpg'])
})

test('an import scan imports no file twice in concurrent scans', async () => {
  const { ctx, folder, newScan } = await setUpImports()
  const names = Array.from({ length: 6 }, (_, index) => `${index}.jpg`)
  for (const [seed, name] of names.entries()) await writeFile(join(folder, name), await jpeg({ seed }))
  await Promise.all([newScan()(signal), newScan()(signal)])
  expect(await importedNames(ctx)).toEqual(names.sort())
  await newScan()(signal)
  expect(await readdir(folder)).toEqual([])
  expect(await ctx.db.selectFrom('imported_files').selectAll().execute()).toEqual([])
})

test('an import scan leaves files in place while the disk is full or the storage away, and imports them afterwards', async () => {
  let problem: Error | null = new StorageFull()
  const { ctx, folder, scan } = await setUpImports((storage) => ({
    ensureSpaceFor: (bytes) => (problem ? Promise.reject(problem) : storage.ensureSpaceFor(bytes)),
  }))
  await writeFile(join(folder, 'a.jpg'), await jpeg())
  expect(await scan(signal)).toMatchObject({ isStorageFull: true, importCounts: { imported: 0, refused: 0 } })
  problem = new StorageUnavailable('away')
  await expect(scan(signal)).rejects.toThrow(StorageUnavailable)
  expect(await readdir(folder)).toEqual(['a.jpg'])
  problem = null
  expect((await scan(signal)).importCounts.imported).toBe(1)
  expect(await importedNames(ctx)).toEqual(['a.jpg'])
})

test('an import scan aborts a copy when the service stops', async () => {
  const stopping = new AbortController()
  let whenStaging = () => undefined as unknown
  const { ctx, folder, scan } = await setUpImports((storage) => ({
    stage: async () => storage.stage().finally(whenStaging),
  }))
  await writeFile(join(folder, 'a.jpg'), await jpeg())
  whenStaging = () => stopping.abort()
  await scan(stopping.signal)
  expect(await importedNames(ctx)).toEqual([])
  expect(await readdir(folder)).toEqual(['a.jpg'])
  whenStaging = () => undefined
  await scan(signal)
  expect(await importedNames(ctx)).toEqual(['a.jpg'])
})

test('an import scan continues after an unexpected error of one file', async () => {
  let isBreaking = false
  const { ctx, folder, scan } = await setUpImports((storage) => ({
    commit: (files) => (isBreaking ? Promise.reject(new Error('odd')) : storage.commit(files)),
    async ensureSpaceFor(bytes) {
      isBreaking = bytes === broken.length
    },
  }))
  const broken = await jpeg({ width: 333 })
  await writeFile(join(folder, 'a.jpg'), broken)
  await writeFile(join(folder, 'b.jpg'), await jpeg())
  await scan(signal)
  expect(await importedNames(ctx)).toEqual(['b.jpg'])
  expect(await readdir(folder)).toEqual(['a.jpg'])
})

test('an import scan does not read 200 files again that cannot be moved away', async () => {
  let staged = 0
  const { ctx, event, folder, scan, newScan } = await setUpImports((storage) => ({
    stage: () => {
      staged++
      return storage.stage()
    },
  }))
  staged = 0
  const bytes = await jpeg()
  for (let index = 0; index < 200; index++) await writeFile(join(folder, `${index}.jpg`), bytes)
  await ctx.db.transaction().execute(async (tx) => {
    for await (const file of folderSource(ctx.config.importDir).listFiles(event.slug, () => undefined)) {
      const { digest: path_digest, path, sizeBytes: size_bytes, modifiedAt: modified_at } = file
      const row = { path_digest, event_id: event.id, path, size_bytes, modified_at, content_hash: 'x' }
      await recordImported(tx, { ...row, problem: null, is_kept: 1, noted_at: 1 })
    }
  })
  // Twice in one process, and once as after a restart.
  for (const one of [scan, scan, newScan()]) {
    expect((await one(signal)).importCounts).toEqual({ imported: 0, already_present: 0, refused: 0 })
  }
  expect(staged).toBe(0)
})
