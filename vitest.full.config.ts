import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import { LongestFirst } from './tests/support/run/longest-first.ts'
import { isInCi } from './tests/support/run/requirements.ts'
import TimesReport from './tests/support/run/times/report.ts'
import standard from './vitest.config.ts'

const {
  include = [],
  globalSetup = [],
  setupFiles = [],
  pool,
  isolate,
  testTimeout,
  hookTimeout,
  expect,
} = standard.test ?? {}
/** Tests that need PostgreSQL. */
const onPostgres = '**/*.postgres.test.ts'
/** Tests that start and end the service as a separate process, or use it in a browser. */
const journeys = 'tests/{browser,process}/**/*.full.test.ts'
/** Tests that need an object store. In CI the run fails without one (`prepare-back-ends.ts`). */
const onS3 = '**/*.s3.test.ts'
const hasStore = Boolean(process.env.TEST_S3_ENDPOINT)
/** See `vitest.long.config.ts`. */
export const long = '**/*.long.test.ts'

/** Operations that are tested on a database or a storage without HTTP. */
const operations = [
  'server/access/sign-in-lock.test.ts',
  'server/picpeak/move-installation.test.ts',
  'server/renditions/{drop-stale-profiles,renditions}.test.ts',
  'server/{photo-lists/stream-grid,videos/process-videos,videos/video-job-rows}.test.ts',
  'server/webhooks/delivery/{overdue,prune,settle}-deliver*.test.ts',
]

const testsOf = (names: string): string => `tests/api/**/${names}.test.ts`

/**
 * Tests of what can differ by database: operations that write, and lists with their own SQL. Where several
 * files test one operation, not all are in this list; `npm run test:long` runs the others on PostgreSQL.
 */
const byDatabase = [
  // Events, settings, accounts.
  '{activity,acts,categories,change-event,event-lifecycle,event-members,event-types,find-events,settings}',
  '{api-tokens,customers,people,transfer-ownership,people-invites,refresh-tokens,second-factor,sign-in-lock,sign-out}',
  // Feedback.
  '{comments,exports,guest-feedback,guest-links,guests,live-events,mark-counters,marks}',
  '{erase-guest,merge-guests,moderation,notes,own-marks,selections}',
  // Lists and statistics.
  '{dashboard,gallery-counts,gallery-list,picture-addresses,known-photos,photo-grid,photo-list-filters,photo-list-property,photo-order,upload-order}',
  // Webhooks and mails.
  '{feedback-changed,mail-outbox,mail-server,token-calls,token-webhooks,webhook-deliveries-api,webhooks}',
].map(testsOf)

/** Tests of what can also differ by storage: operations that write, move, remove or send files. */
const byStorage = [
  '{branding,delete-event,delete-photo,idempotency,replace-photo,media-responses,trash}',
  '{chunked-interrupted,chunked-sessions,guest-upload,uploads}',
  '{photo-archives,archive-streaming}',
].map(testsOf)

/** Patterns for `npm run test:long`. On PostgreSQL and S3 it runs `all` except the other patterns, which run here. */
export const onBothBackEnds = { onPostgres, onS3, operations, all: 'tests/api/**/*.test.ts', byStorage }

const notRun = [
  'large properties, budgets, killed nodes, mutation testing, all of the API on PostgreSQL and S3 (npm run test:long)',
  ...(hasStore ? [] : ['S3 (no TEST_S3_ENDPOINT is set)']),
]
/** A busy machine must not refuse a change. The closing lines name the tests that needed it. */
const retry = isInCi ? 1 : 0
const everywhere = { setupFiles, pool, isolate, testTimeout, hookTimeout, expect, retry }
/** Ends tests of processes, browsers and a store that hang. */
const patiently = { testTimeout: 180_000 }
const built = [globalSetup].flat()

/**
 * `npm run test:full`, which CI also runs: all of `npm test`, tests of processes, crashes and browsers, and on
 * PostgreSQL and S3 the tests of what can differ there.
 */
export default defineConfig({
  test: {
    // More than in `npm test`, because these tests also wait for other processes, browsers and a store.
    maxWorkers: availableParallelism() + 2,
    reporters: [
      'default',
      new TimesReport({ name: 'npm run test:full', ceilingSeconds: 780 }),
      new ClosingLines(notRun),
    ],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'SQLite + disk',
          include,
          exclude: [...configDefaults.exclude, onPostgres, onS3, long, journeys],
          globalSetup: built,
        },
      },
      {
        test: {
          ...everywhere,
          ...patiently,
          name: 'processes and browsers',
          include: [journeys],
          globalSetup: built,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'PostgreSQL + disk',
          include: byDatabase,
          globalSetup: [...built, 'tests/support/run/prepare-postgres.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          ...patiently,
          name: 'PostgreSQL + S3',
          include: [...byStorage, ...operations, onPostgres, onS3],
          exclude: [...configDefaults.exclude, ...(hasStore ? [] : [onS3]), long, '**/*.full.test.ts'],
          globalSetup: [...built, 'tests/support/run/prepare-back-ends.ts'],
        },
      },
    ],
  },
})
