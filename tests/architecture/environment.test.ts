import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

test('only config.ts and the launcher read the environment', () => {
  const readers = sourceFiles('server').filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
  expect(readers.sort()).toEqual([
    // The first file passes `process.env` to readConfig, the second a few variables to children.
    'server/commands/command-environment.ts',
    'server/platform/child-environment.ts',
  ])
})
