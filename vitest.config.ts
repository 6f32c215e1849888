import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import TimesReport from './tests/support/run/times/report.ts'

/** What `npm test` runs: rules, operations, the API on SQLite and disk, and one journey each of a guest and an operator. */
export default defineConfig({
  test: {
    include: ['{server,tests,locales,web}/**/*.test.ts'],
    globalSetup: ['run-folder', 'build-sources', 'compile-cache', 'name-run'].map(
      (name) => `tests/support/run/${name}.ts`,
    ),
    exclude: [...configDefaults.exclude, ...['full', 'long', 'postgres', 's3'].map((tier) => `**/*.${tier}.test.ts`)],
    setupFiles: ['tests/support/run/times/record.ts'],
    reporters: [
      'default',
      new TimesReport({ name: 'npm test', ceilingSeconds: 180 }),
      new ClosingLines([
        'PostgreSQL, S3, whole processes, crashes, commands, most journeys in a browser (npm run test:full)',
      ]),
    ],
    pool: 'forks',
    // Each file closes what it opens, so the next one finds the modules loaded: that is a fifth of the time of many small files.
    isolate: false,
    // Half of the time they wait: for a service, a disk, a clock.
    maxWorkers: availableParallelism() + 1,
    // A test that needs longer says why beside its own limit.
    testTimeout: 10_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 8_000 } },
  },
})
