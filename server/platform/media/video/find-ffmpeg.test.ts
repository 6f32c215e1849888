import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/run/temporary-folder.ts'
import { findFfmpeg } from './find-ffmpeg.ts'

async function createProgram(version: string): Promise<string> {
  const path = join(await temporaryFolder(), 'ffmpeg')
  await writeFile(path, `#!/bin/sh\ncat <<'END'\n${version}\nEND\n`)
  await chmod(path, 0o700)
  return path
}

test.each([
  ['ffmpeg version 5.0.1\nlibavcodec     59. 18.100 / 59. 18.100', false],
  ['ffmpeg version 5.1.9-0+deb12u1\nlibavcodec     59. 37.100 / 59. 37.100', true],
  ['ffmpeg version N-109542-g53ca7a5\nlibavcodec     60.  3.100 / 60.  3.100', true],
  ['something else', false],
])('%j is new enough: %j', async (version, isRecent) => {
  const path = await createProgram(version)
  expect(await findFfmpeg(path)).toBe(isRecent ? path : null)
})

test('a missing program is found once it is there', async () => {
  const path = await createProgram('libavcodec 59. 18.100')
  expect(await findFfmpeg(path)).toBeNull()
  await writeFile(path, '#!/bin/sh\necho "libavcodec     61. 19.100"\n')
  expect(await findFfmpeg(path)).toBe(path)
  expect(await findFfmpeg('/nowhere/ffmpeg')).toBeNull()
  expect(await findFfmpeg(null)).toBeNull()
})
