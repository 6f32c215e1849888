import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/run/closing-lines.ts'
import { LongestFirst } from './tests/support/run/longest-first.ts'
import TimesReport from './tests/support/run/times/report.ts'

/**
 * `npm test`: rules, operations, the main sentences and the worst cases of the API on SQLite and disk, a start, a kill
 * and restart, and one journey each of a guest and an operator in a browser.
 */
export default defineConfig({
  test: {
    include: ['{contract,server,tests,locales,web}/**/*.test.ts'],
    globalSetup: ['run-folder', 'build-sources', 'compile-cache', 'name-run'].map(
      (name) => `tests/support/run/${name}.ts`,
    ),
    exclude: [...configDefaults.exclude, ...['full', 'long', 'postgres', 's3'].map((tier) => `**/*.${tier}.test.ts`)],
    setupFiles: ['tests/support/run/times/record.ts'],
    reporters: [
      'default',
      new TimesReport({ name: 'npm test', ceilingSeconds: 110 }),
      new ClosingLines([
        'tables of all routes, PostgreSQL, S3, whole processes, crashes, commands, most journeys in a browser (npm run test:full)',
      ]),
    ],
    sequence: { sequencer: LongestFirst },
    tags: [
      { name: 'nightly', description: 'Runs in npm run test:long only.' },
      { name: 'database', description: 'Runs again on PostgreSQL.' },
      { name: 'storage', description: 'Runs again on PostgreSQL and S3.' },
    ],
    pool: 'forks',
    // All processors are busy with other workers. Threads of V8 would only add a tenth of processor time.
    execArgv: ['--single-threaded'],
    // Test files in one worker share modules, which saves a small file a fifth of its time. Each file must close what
    // it opens.
    isolate: false,
    // One worker more than processors, because tests spend half of their time waiting for a service, a disk or a timer.
    maxWorkers: availableParallelism() + 1,
    // Time limits end a test that hangs. They never judge speed. Only a test of a limit may set a shorter one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
