import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/** Migrations are append-only, so their folder grows. */
const exemptFolder = 'server/migrations'

test('a folder has at most 40 source files, tests excluded', () => {
  const files = ['contract', 'locales', 'server', 'tools', 'web'].flatMap(sourceFiles)
  const sizes = [...Map.groupBy(files, dirname)].map(([folder, { length }]) => ({ folder, length }))
  expect(sizes.filter(({ folder, length }) => length > 40 && folder !== exemptFolder)).toEqual([])
})
