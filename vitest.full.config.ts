import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'
import TimesReport from './tests/support/times/report.ts'
import standard from './vitest.config.ts'

const {
  include = [],
  globalSetup = [],
  setupFiles = [],
  pool,
  isolate,
  maxWorkers,
  testTimeout,
  hookTimeout,
  expect,
} = standard.test ?? {}
/** Tests that need PostgreSQL. */
const onPostgres = '**/*.postgres.test.ts'
/** Tests that need an object store; in CI there is one (`both-back-ends.ts`). */
const onS3 = '**/*.s3.test.ts'
const hasStore = Boolean(process.env.TEST_S3_ENDPOINT)
/** See `vitest.long.config.ts`. */
const long = '**/*.long.test.ts'
/** Tests of single deeds that stand on a database or a storage, beside those of the API. */
const deeds = [
  'server/access/sign-in-lock.test.ts',
  'server/photos/{drop-former-looks,process-videos,renditions,stream-grid,video-job-rows,warm-renditions}.test.ts',
  'server/webhooks/{overdue,prune,settle}-deliver*.test.ts',
]
/** What meets neither the database nor the storage in any way of its own; TEST_EVERYTHING has it run on both all the same. */
const sameOnBoth = [
  'admin-{openapi,table}',
  '{announced-envelopes,credentials,desk-page,early-refusals,errors,gallery-table,generated-client,held-bodies}',
  '{hostile-uploads,hostile-videos,invite-page,json-bodies,malformed-uploads,openapi,openapi-shapes,proxies}',
  '{gallery-language,hostile-names,oembed,operator-preview,page-island,photo-links,proxy-probes,web-files}',
  '{put-event,rate-limits,recaptcha,refused-forms,rights,same-origin,token-types,webhook-addresses}',
].map((name) => `tests/api/${name}.test.ts`)
const leftOut = process.env.TEST_EVERYTHING ? [] : sameOnBoth
const notRun = [
  'killed nodes and long outages (npm run test:long)',
  ...(hasStore ? [] : ['S3 (no TEST_S3_ENDPOINT is set)']),
  ...(leftOut.length > 0
    ? [
        'API tests that meet neither database nor storage, on PostgreSQL and S3; 40 of 60 random lists (TEST_EVERYTHING=yes)',
      ]
    : []),
]
const everywhere = { setupFiles, pool, isolate, testTimeout, hookTimeout, ...(expect && { expect }) }
const built = [globalSetup].flat()

/**
 * What `npm run test:full` runs, and CI with it: all of `npm test`, the crash tests, full properties and the largest
 * images; and the API once more, on the other back ends.
 */
export default defineConfig({
  test: {
    maxWorkers,
    reporters: ['default', new TimesReport(), new ClosingLines(notRun)],
    projects: [
      {
        test: {
          ...everywhere,
          name: 'SQLite + disk',
          include,
          exclude: [...configDefaults.exclude, onPostgres, onS3, long],
          globalSetup: built,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'PostgreSQL + S3',
          include: ['tests/api/**/*.test.ts', ...deeds, onPostgres, onS3],
          exclude: [...configDefaults.exclude, ...leftOut, ...(hasStore ? [] : [onS3]), long, '**/*.full.test.ts'],
          globalSetup: [...built, 'tests/support/both-back-ends.ts'],
        },
      },
    ],
  },
})
