import { defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'
import standard from './vitest.config.ts'

const { pool, maxWorkers, testTimeout, hookTimeout } = standard.test ?? {}

/** What `npm run test:long` runs: two nodes that are killed, and whose database and store are away, under load. */
export default defineConfig({
  test: {
    pool,
    maxWorkers,
    testTimeout,
    hookTimeout,
    include: ['**/*.long.test.ts'],
    globalSetup: 'tests/support/both-back-ends.ts',
    reporters: ['default', new ClosingLines(['all other tests (npm run test:full)'])],
  },
})
