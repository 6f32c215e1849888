import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'
import TimesReport from './tests/support/times/report.ts'

/** What `npm test` runs: rules, deeds, the API on SQLite and disk, whole processes, the gallery and the way through the desk in a browser. */
export default defineConfig({
  test: {
    include: ['{server,tests,texts,web}/**/*.test.ts'],
    globalSetup: ['tests/support/built-web.ts', 'tests/support/compiled-once.ts', 'tests/support/test-buckets.ts'],
    exclude: [...configDefaults.exclude, ...['full', 'long', 'postgres', 's3'].map((tier) => `**/*.${tier}.test.ts`)],
    setupFiles: ['tests/support/times/record.ts'],
    reporters: [
      'default',
      new TimesReport(),
      new ClosingLines([
        'crash tests, full properties, budgets, the largest images, most pages of the desk, PostgreSQL and S3 (npm run test:full)',
      ]),
    ],
    pool: 'forks',
    // Each file closes what it opens, so the next one finds the modules loaded: that is a fifth of the time of many small files.
    isolate: false,
    // Half of the time they wait: for a service, a disk, a clock.
    maxWorkers: availableParallelism() + 1,
    // A busy machine must not look like a defect: what hangs fails all the same.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
