import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import standard from './vitest.config.ts'
import { filesWith, long, taggedRunner } from './vitest.full.config.ts'

const { globalSetup = [], tags = [], pool, isolate, maxWorkers, hookTimeout, expect } = standard.test ?? {}
/** The release workflow runs these alone, without databases and a store. */
const packaging = ['tests/process/{package,container-image}.long.test.ts']
/** Files of `npm run test:full` that use larger numbers here (`isLongRun`). They run whole. */
const largeNumbers = ['tests/process/{photo-operations-crash,uploads-crash}.full.test.ts']
/** With a bucket, photos are not on the disk, and the space for them is unlimited. */
const aboutSmallDisks = ['tests/api/gallery/guests-on-a-full-disk.full.test.ts']
/** Files about PostgreSQL, S3 or several nodes that run whole. */
const ofBackEnds = [
  'server/{picpeak,platform}/**/*.long.test.ts',
  'tests/process/{doctor,migrate-*,nodes-*}.long.test.ts',
  'tests/process/docs/moving-docs.long.test.ts',
  'tests/process/picpeak/import-picpeak.long.test.ts',
  'tests/process/nodes-hidden-photos.postgres.test.ts',
]
const built = [globalSetup].flat()
const onSqlite = { tags, pool, testTimeout: 180_000, hookTimeout, expect, globalSetup: built }
const onPostgresAndS3 = { ...onSqlite, globalSetup: [...built, 'tests/support/run/prepare-back-ends.ts'] }
const nightly = filesWith('nightly')

/**
 * What `npm run test:long` runs before mutation testing: the tests with the tag `nightly`, nodes that are killed or lose
 * their database or store, large property tests, size limits of the scripts of both apps, tests with larger numbers, and
 * all tests of the API on PostgreSQL and S3. Other files run on the back end that they have in `npm run test:full`.
 */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLines(['all other tests (npm run test:full)'])],
    projects: [
      // Each file of the first two starts several processes or measures times, so only one file runs at a time.
      {
        test: {
          ...onSqlite,
          name: 'long',
          maxWorkers: 1,
          provide: { isLongRun: true },
          include: [long],
          exclude: [...configDefaults.exclude, ...packaging, ...ofBackEnds],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onPostgresAndS3,
          name: 'long on PostgreSQL + S3',
          maxWorkers: 1,
          provide: { isLongRun: true },
          include: ofBackEnds,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          ...onSqlite,
          name: 'package and image',
          maxWorkers: 1,
          include: packaging,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...onPostgresAndS3,
          name: 'API on PostgreSQL + S3',
          isolate,
          maxWorkers,
          provide: { isLongRun: true },
          include: ['tests/api/**/*.test.ts'],
          exclude: [...configDefaults.exclude, long, '**/*.{postgres,s3}.test.ts', ...aboutSmallDisks],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onSqlite,
          name: 'large numbers',
          maxWorkers: 1,
          provide: { isLongRun: true },
          include: largeNumbers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...onSqlite,
          name: 'nightly',
          isolate,
          maxWorkers,
          runner: taggedRunner,
          provide: { isLongRun: true, repeatedTag: 'nightly' },
          include: nightly,
          exclude: [...configDefaults.exclude, long, '**/*.{postgres,s3}.test.ts', ...largeNumbers],
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          ...onPostgresAndS3,
          name: 'nightly on PostgreSQL + S3',
          isolate,
          maxWorkers,
          runner: taggedRunner,
          provide: { isLongRun: true, repeatedTag: 'nightly' },
          include: nightly.filter((file) => /\.(postgres|s3)\.test\.ts$/.test(file)),
          exclude: [...configDefaults.exclude, ...ofBackEnds],
          sequence: { groupOrder: 8 },
        },
      },
      {
        test: {
          ...onPostgresAndS3,
          name: 'operations on PostgreSQL + S3',
          isolate,
          maxWorkers,
          provide: { isLongRun: true },
          include: [
            'server/photos/lists/stream-grid.test.ts',
            'server/picpeak/move-installation.full.test.ts',
            'server/photos/renditions/renditions.full.test.ts',
            'server/photos/videos/process-videos.test.ts',
            'server/webhooks/delivery/overdue-deliveries.test.ts',
          ],
          sequence: { groupOrder: 6 },
        },
      },
    ],
  },
})
