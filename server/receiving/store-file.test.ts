import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stagePicture } from '../../tests/support/fixtures/first-photo.ts'
import { linux, requireOrSkip } from '../../tests/support/run/requirements.ts'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../tests/support/service/test-context.ts'
import { listKeys } from '../../tests/support/storage/test-storage.ts'
import { StorageFull } from '../platform/storage/storage.ts'
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
