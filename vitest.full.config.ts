import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import { LongestFirst } from './tests/support/run/longest-first.ts'
import TimesReport from './tests/support/run/times/report.ts'
import standard from './vitest.config.ts'

const { include = [], globalSetup = [], setupFiles = [], pool, isolate, testTimeout, expect } = standard.test ?? {}
/** Tests that need PostgreSQL. */
const onPostgres = '**/*.postgres.test.ts'
/** Tests that start the service as a process of its own and end it, or look at it in a browser. */
const journeys = 'tests/{browser,process}/**/*.full.test.ts'
/** Tests that need an object store; in CI there is one (`prepare-back-ends.ts`). */
const onS3 = '**/*.s3.test.ts'
const hasStore = Boolean(process.env.TEST_S3_ENDPOINT)
/** See `vitest.long.config.ts`. */
export const long = '**/*.long.test.ts'

/** Operations that are tested on a database or a storage without HTTP. */
const operations = [
  'server/access/sign-in-lock.test.ts',
  'server/renditions/{drop-stale-profiles,renditions,warm-renditions}.test.ts',
  'server/{photo-lists/stream-grid,videos/process-videos,videos/video-job-rows}.test.ts',
  'server/webhooks/delivery/{overdue,prune,settle}-deliver*.test.ts',
]

const testsOf = (names: string): string => `tests/api/**/${names}.test.ts`

/**
 * What may differ by database: every operation that writes, lists with SQL of their own. Each once: a second group of tests
 * of one operation runs there in `npm run test:long`.
 */
const byDatabase = [
  // Events, settings, accounts.
  '{activity,categories,change-event,event-lifecycle,event-members,event-types,find-events,settings}',
  '{api-tokens,customers,people,transfer-ownership,people-invites,refresh-tokens,second-factor,sign-in-lock,sign-out}',
  // Feedback.
  '{comments,exports,guest-feedback,guest-links,guests,live-events,mark-counters,marks}',
  '{merge-guests,moderation,own-marks,selections}',
  // Lists and figures.
  '{dashboard,gallery-counts,gallery-list,known-photos,photo-grid,photo-list-filters,photo-list-property}',
  // What leaves the service.
  '{feedback-changed,mail-outbox,webhook-deliveries-api,webhooks}',
].map(testsOf)

/** What may differ by storage as well: every operation that writes, moves, removes or sends files. */
const byStorage = [
  '{branding,bulk-photos,delete-event,delete-photo,idempotency,repair-photos,replace-photo,media-responses}',
  '{chunked-send,chunked-complete,chunked-sessions,guest-upload,uploads}',
  '{backups,gallery-downloads,photo-archives,archive-streaming}',
].map(testsOf)

/** What `npm run test:long` adds on these back ends. */
export const onBothBackEnds = { onPostgres, onS3, operations, all: 'tests/api/**/*.test.ts', byStorage }

const notRun = [
  'large properties, budgets, killed nodes, mutation testing, all of the API on PostgreSQL and S3 (npm run test:long)',
  ...(hasStore ? [] : ['S3 (no TEST_S3_ENDPOINT is set)']),
]
const everywhere = { setupFiles, pool, isolate, testTimeout, expect, hookTimeout: 90_000 }
/** To wait for a process, a browser or a store takes seconds, and several times as many beside other tests. */
const patiently = { testTimeout: 60_000, expect: { poll: { timeout: 15_000 } } }
const built = [globalSetup].flat()

/**
 * What `npm run test:full` runs, and CI with it: all of `npm test`, whole processes, crashes and journeys; and on the
 * other back ends what may differ there.
 */
export default defineConfig({
  test: {
    // More than in `npm test`: they also wait for other processes, browsers and a store.
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
