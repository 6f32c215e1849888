import { statfs } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { createSpaceTracker } from './free-space.ts'
import { StorageFull } from './storage.ts'

test('guests leave 3 GiB or 6 % of the disk free, more than operators', async () => {
  const folder = await temporaryFolder()
  const { blocks, bsize } = await statfs(folder)
  const { reserve, space } = createSpaceTracker(folder)
  const { freeBytes, reservedBytes, reservedFromGuestsBytes } = await space()
  expect(reservedFromGuestsBytes).toBe(Math.min(3 * 2 ** 30, Math.floor(blocks * bsize * 0.06)))
  // Between the two reserves, so that other writes during the test do not matter.
  const bytes = freeBytes - (reservedBytes + reservedFromGuestsBytes) / 2
  await expect(reserve(bytes, 'guest')).rejects.toBeInstanceOf(StorageFull)
  await reserve(bytes, 'operator')
})
