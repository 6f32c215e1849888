import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

test('only config.ts and the launcher read the environment', () => {
  const readers = sourceFiles('server').filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
  expect(readers.sort()).toEqual([
    // These files pass `process.env` to readConfig, or all of it to a child process.
    'server/commands/command-environment.ts',
    'server/platform/media/image-workers.ts',
  ])
})
