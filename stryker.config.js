import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What `npm run test:mutation` runs: Stryker changes the modules that contain rules, one expression at a time, and
 * reports each change that no test notices.
 */
export default {
  mutate: [
    // Viewing rules
    'server/gallery-access/viewing-rules.ts',
    'server/events/event-rules.ts',
    // Filters and merge rules
    'server/feedback/marks/mark-rules.ts',
    'server/feedback/marks/feedback-filters.ts',
    'server/feedback/marks/mark-filters.ts',
    'server/photos/lists/mark-filter-rules.ts',
    'server/gallery/gallery-filters.ts',
    'server/webhooks/filter-rules.ts',
    // Access guards and roles
    'server/access/guards.ts',
    'server/access/roles.ts',
    'server/access/same-origin-hook.ts',
    // Delivery schedule and address guard
    'server/webhooks/delivery/delivery-schedule.ts',
    'server/webhooks/receivers/retry-after.ts',
    'server/webhooks/receivers/public-addresses.ts',
    'server/webhooks/receivers/receiver-address.ts',
    'server/webhooks/receivers/receiver-url.ts',
    // ZIP arithmetic
    'server/archives/plan-archive.ts',
    'server/archives/zip-format.ts',
    'server/archives/archive-names.ts',
    'server/platform/storage/crc32-arithmetic.ts',
    // Chunk bookkeeping
    'server/receiving/chunked/upload-rules.ts',
    'server/receiving/chunked/upload-gate.ts',
    'server/receiving/chunked/upload-records.ts',
    // Limits
    'server/access/limits/rate-limits.ts',
    'server/access/limits/delay-attempts.ts',
    'server/access/limits/sign-in-lock.ts',
    'server/platform/background/shared-rate-counter.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // The folder of the copy that Stryker changes. It is not in node_modules: Node strips no types there, so threads
  // could not load the sources.
  tempDirName: join(tmpdir(), 'proofroom-mutants'),
  ignorePatterns: [
    '.ci',
    '.types',
    'bench',
    'deploy',
    'docs',
    'tools',
    'web',
    '**/tsconfig*.json',
    'tests/{api,architecture,browser,process}',
  ],
  disableTypeChecks: false,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: 'node_modules/.cache/mutation.json' },
  allowConsoleColors: false,
  thresholds: { high: 95, low: 85, break: 85 },
}
