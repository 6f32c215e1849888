import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import standard from './vitest.config.ts'
import { filesWith, long, taggedRunner } from './vitest.full.config.ts'

const { globalSetup = [], tags = [], pool, isolate, maxWorkers, hookTimeout, expect } = standard.test ?? {}
/** The release workflow runs these alone, without databases and a store. */
const packaging = ['tests/process/{package,container-image}.long.test.ts']
/** Files of `npm run test:full` that use larger numbers or more cases here (`isLongRun`). They run whole. */
const largeNumbers = [
  'tests/process/nodes-hidden-photos.postgres.test.ts',
  'tests/process/{photo-operations-crash,uploads-crash}.full.test.ts',
]
const everywhere = {
  tags,
  pool,
  testTimeout: 180_000,
  hookTimeout,
  expect,
  globalSetup: [...[globalSetup].flat(), 'tests/support/run/prepare-back-ends.ts'],
}

/**
 * What `npm run test:long` runs before mutation testing: the tests with the tag `nightly`, nodes that are killed or lose
 * their database or store, large property tests, size limits of the scripts of both apps, tests with larger numbers, and
 * all tests of the API on PostgreSQL and S3.
 */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLines(['all other tests (npm run test:full)'])],
    projects: [
      // Each file starts several nodes or measures times, so only one file runs at a time.
      {
        test: {
          ...everywhere,
          name: 'long',
          maxWorkers: 1,
          provide: { isLongRun: true },
          include: [long],
          exclude: packaging,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'package and image',
          maxWorkers: 1,
          include: packaging,
          globalSetup: [globalSetup].flat(),
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'API on PostgreSQL + S3',
          isolate,
          maxWorkers,
          provide: { isLongRun: true },
          include: ['tests/api/**/*.test.ts'],
          exclude: [...configDefaults.exclude, long, '**/*.{postgres,s3}.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'large numbers',
          maxWorkers: 1,
          provide: { isLongRun: true },
          include: largeNumbers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'nightly',
          isolate,
          maxWorkers,
          runner: taggedRunner,
          provide: { isLongRun: true, repeatedTag: 'nightly' },
          include: filesWith('nightly'),
          exclude: [...configDefaults.exclude, ...largeNumbers],
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'operations on PostgreSQL + S3',
          isolate,
          maxWorkers,
          provide: { isLongRun: true },
          include: [
            'server/photo-lists/stream-grid.test.ts',
            'server/picpeak/move-installation.full.test.ts',
            'server/renditions/renditions.full.test.ts',
            'server/videos/process-videos.test.ts',
          ],
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
