import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'

/** What `npm test` runs: rules, deeds, the API on SQLite and disk, whole processes and one browser journey. */
export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.full.test.ts', '**/*.long.test.ts', '**/*.postgres.test.ts'],
    reporters: [
      'default',
      new ClosingLines(['crash tests, full properties, the largest images, PostgreSQL and S3 (npm run test:full)']),
    ],
    pool: 'forks',
    // Most of them wait for a service, a disk or a clock: on a small machine two still do better than one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
