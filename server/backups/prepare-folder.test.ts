import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/run/temporary-folder.ts'
import { prepareFolder } from './prepare-folder.ts'

test.each(['staging', 'files', 'lock', '2026-11-28T10-00-00.000Z'])('a link named %s is not followed', async (name) => {
  const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(outside, 'documents'))
  await prepareFolder(folder)
  await symlink(outside, join(folder, name))
  await expect(prepareFolder(folder)).rejects.toThrow(`${join(folder, name)} is a symbolic link`)
  expect(await readdir(outside)).toEqual(['documents'])
})

test('the folder itself may be a link', async () => {
  const folder = await temporaryFolder()
  const link = join(await temporaryFolder(), 'backups')
  await symlink(folder, link)
  await mkdir(join(folder, 'files'))
  await expect(prepareFolder(link)).resolves.toBeUndefined()
})
