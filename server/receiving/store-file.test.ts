import { createHash } from 'node:crypto'
import { readFile, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { must } from '../../contract/must.ts'
import { stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import {
  createRawFile,
  type RawLayout,
  rawFacts,
  rawLayouts,
  rawOrientation,
  rawPictureSize,
} from '../../tests/support/media/raw-files.ts'
import { linux, requireOrSkip } from '../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { listKeys } from '../../tests/support/storage/test-storage.ts'
import { stillKey } from '../photos/photo-files.ts'
import type { FileColumns } from '../photos/photo-rows.ts'
import { findLocationPatches } from '../platform/media/location/find-location.ts'
import { findRawPicture } from '../platform/media/raw/find-raw-picture.ts'
import { readExif } from '../platform/media/read-exif.ts'
import { StorageFull } from '../platform/storage/storage.ts'
import { writeStaged } from '../platform/storage/write-staged.ts'
import { storeFile } from './store-file.ts'

test('throws StorageFull when the disk is too full for the thumbnail, and stores nothing', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const ctx = await contextForTest()
  const file = await stagePicture(ctx, 60)
  const fullDisk = join(await temporaryFolder(), 'thumbnail')
  await symlink('/dev/full', fullDisk)
  const storage = { ...ctx.storage, stage: async () => fullDisk }
  const storing = storeFile({ ...ctx, storage }, 7, { file, family: 'image' }, async () => 'recorded')
  await expect(storing).rejects.toBeInstanceOf(StorageFull)
  expect(await listKeys(ctx.storage, 'events')).toEqual([])
})

async function storeRaw(bytes: Buffer, name: string) {
  const ctx = await contextForTest()
  await ctx.settings.change({ general_allowed_file_types: 'nef,cr3' })
  const file = { ...(await writeStaged(ctx.storage, Readable.from([bytes]))), clientName: name }
  const stored = await storeFile(ctx, 7, { file, family: 'image' }, async (columns: FileColumns) => columns)
  const key = stillKey(7, must(stored.still_filename, 'the still'))
  return { ctx, stored, stillPath: await ctx.storage.withLocalFile(key, async (path) => path) }
}

const findLayout = (kind: string, format = 'jpeg'): RawLayout => {
  const layout = rawLayouts.find((layout) => layout.kind === kind && layout.format === format)
  return must(layout, 'a layout')
}

test('a RAW file is stored as it is, beside an upright JPEG without its location', async () => {
  const layout = findLayout('nef')
  const bytes = await createRawFile(layout, { isLocated: true })
  const { ctx, stored, stillPath } = await storeRaw(bytes, 'DSC_1.NEF')
  const { width: height, height: width } = rawPictureSize(layout)
  const still = await readFile(stillPath)
  expect(stored).toMatchObject({
    ...{ filename: expect.stringMatching(/\.nef$/), mime_type: 'image/x-nikon-nef', size_bytes: bytes.length },
    ...{ width, height, captured_at: rawFacts.capturedAt, processing_status: 'ready' },
    ...{ still_size_bytes: still.length, still_crc32: crc32(still) },
    still_sha256: createHash('sha256').update(still).digest('hex'),
  })
  const { format, orientation, autoOrient } = await sharp(still).metadata()
  expect([format, orientation, autoOrient]).toEqual(['jpeg', rawOrientation, { width, height }])
  expect(await findLocationPatches(stillPath, 'jpeg')).toMatchObject({ patches: [] })
  expect(await readExif(stillPath)).toMatchObject({ Make: 'NIKON CORPORATION', LensModel: rawFacts.camera.lens })
  const names = [stored.filename, stored.still_filename, stored.thumbnail_filename]
  expect((await listKeys(ctx.storage, 'events')).map((key) => basename(key)).sort()).toEqual(names.sort())
})

/** With Huffman tables that no decoder accepts. */
async function createDamagedNef(): Promise<Buffer> {
  const bytes = await createRawFile(findLayout('nef'))
  const picture = await findRawPicture(async (at, length) => bytes.subarray(at, at + length), bytes.length, 'nef')
  const tableAt = bytes.indexOf('ffc4', must(picture, 'the picture').at, 'hex')
  return bytes.fill(0xff, tableAt + 4, tableAt + 24)
}

test.each([
  ['in HEVC', () => createRawFile(findLayout('cr3', 'hevc')), 'A.CR3'],
  ['damaged', createDamagedNef, 'A.NEF'],
])('a RAW file whose picture is %s has a neutral one', async (_, create, name) => {
  const { stored, stillPath } = await storeRaw(await create(), name)
  expect(stored).toMatchObject({ width: 720, height: 480, processing_status: 'ready' })
  const { channels } = await sharp(stillPath).stats()
  expect(channels.map(({ stdev }) => stdev)).toEqual([0, 0, 0])
})

test('a RAW file that the disk has no room for leaves no file', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const ctx = await contextForTest()
  await ctx.settings.change({ general_allowed_file_types: 'nef' })
  const bytes = await createRawFile(findLayout('nef'))
  const file = { ...(await writeStaged(ctx.storage, Readable.from([bytes]))), clientName: 'A.NEF' }
  const fullDisk = join(await temporaryFolder(), 'still')
  await symlink('/dev/full', fullDisk)
  const storage = { ...ctx.storage, stage: async () => fullDisk }
  const storing = storeFile({ ...ctx, storage }, 7, { file, family: 'image' }, async () => 'recorded')
  await expect(storing).rejects.toBeInstanceOf(StorageFull)
  expect(await listKeys(ctx.storage, 'events')).toEqual([])
})
