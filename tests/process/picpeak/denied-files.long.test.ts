import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildServerIfStale } from '../../../tools/build-server.ts'
import { makePicPeak } from '../../support/picpeak/picpeak-installation.ts'
import { requireOrSkip } from '../../support/run/requirements.ts'
import { createPlace, rootOnLinux, runAs, uid } from '../../support/service/installed-by-root.ts'

beforeAll(() => buildServerIfStale())

test('an installation of PicPeak that the user may not read: the import names the line that allows it', async ({
  skip,
}) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  const picpeak = await makePicPeak()
  const original = join(picpeak.storage, 'events/active/birthday-lena/Lena_0001.jpg')
  const run = () => runAs(uid, place, ['proofroom', 'import', 'picpeak', picpeak.folder, '--dry-run'])
  const explain = (denied: string, all: string) =>
    `${denied} cannot be read by the user nobody. Run: sudo setfacl -R -m u:nobody:rX ${all} (Debian package acl).`
  await chmod(picpeak.folder, 0o700)
  expect(await run()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(explain(picpeak.folder, picpeak.folder)),
  })
  await chmod(picpeak.folder, 0o755)
  await chmod(picpeak.database, 0o600)
  expect(await run()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(explain(picpeak.database, picpeak.folder)),
  })
  await chmod(picpeak.database, 0o644)
  await chmod(original, 0o600)
  const { code, stdout } = await run()
  expect(code).toBe(1)
  expect(stdout).toMatch(/ photos +6 +5\n/)
  expect(stdout).toContain(`photos 11: The original ${explain(original, picpeak.storage)}\n`)
  expect(stdout).not.toContain('missing')
})
