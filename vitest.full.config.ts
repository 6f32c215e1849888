import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import { LongestFirst } from './tests/support/run/longest-first.ts'
import { isInCi } from './tests/support/run/requirements.ts'
import TimesReport from './tests/support/run/times/report.ts'
import standard from './vitest.config.ts'

const {
  globalSetup = [],
  setupFiles = [],
  tags = [],
  pool,
  execArgv,
  isolate,
  hookTimeout,
  expect,
} = standard.test ?? {}
/** Tests that need PostgreSQL. */
const onPostgres = '**/*.postgres.test.ts'
/** Tests that need an object store. In CI the run fails without one (`prepare-back-ends.ts`). */
const onS3 = '**/*.s3.test.ts'
const hasStore = Boolean(process.env.TEST_S3_ENDPOINT)
/** See `vitest.long.config.ts`. */
export const long = '**/*.long.test.ts'

/** Operations that are tested whole on a database or a storage, without HTTP. */
const operations = [
  'server/access/limits/sign-in-lock.test.ts',
  'server/photos/renditions/drop-stale-profiles.test.ts',
  'server/photos/videos/video-job-rows.test.ts',
  'server/webhooks/delivery/{prune,settle}-deliver*.test.ts',
]

/** Returns the files with a test that has the tag. Only these tests of a file run again (`tagged-runner.ts`). */
export const filesWith = (tag: string): string[] =>
  globSync('{server,tests}/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes(`tags: '${tag}'`))

const notRun = [
  'what npm test runs; tests with the tag nightly, large properties, budgets, killed nodes, mutation testing, all of the API on PostgreSQL and S3 (npm run test:long)',
  ...(hasStore ? [] : ['S3 (no TEST_S3_ENDPOINT is set)']),
]
/** A busy machine must not refuse a change. The closing lines name the tests that needed it. */
const retry = isInCi ? 1 : 0
export const taggedRunner = 'tests/support/run/tagged-runner.ts'
const everywhere = {
  setupFiles,
  tags,
  pool,
  execArgv,
  isolate,
  // Ends tests of processes, browsers and a store that hang.
  testTimeout: 180_000,
  hookTimeout,
  expect,
  retry,
  runner: taggedRunner,
}
const built = [globalSetup].flat()

/**
 * `npm run test:full`: what `npm test` does not run of the tests that CI needs: tables of routes, processes, crashes and
 * browsers, and on PostgreSQL and S3 the tests of what can differ there.
 */
export default defineConfig({
  test: {
    // With one more, each test takes so much longer that the whole run does too.
    maxWorkers: availableParallelism(),
    reporters: [
      'default',
      new TimesReport({ name: 'npm run test:full', ceilingSeconds: 470 }),
      new ClosingLines(notRun),
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'SQLite + disk',
          include: ['{contract,server,tests,locales,web}/**/*.full.test.ts'],
          globalSetup: built,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'PostgreSQL + disk',
          provide: { repeatedTag: 'database' },
          include: filesWith('database'),
          globalSetup: [...built, 'tests/support/run/prepare-postgres.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'PostgreSQL + S3',
          provide: { repeatedTag: 'storage' },
          include: [...filesWith('storage'), ...operations, onPostgres, onS3],
          exclude: [...configDefaults.exclude, ...(hasStore ? [] : [onS3]), long],
          globalSetup: [...built, 'tests/support/run/prepare-back-ends.ts'],
        },
      },
    ],
  },
})
