import { defineConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'
import standard from './vitest.config.ts'

const { globalSetup = [], pool, testTimeout, hookTimeout, expect } = standard.test ?? {}

/** What `npm run test:long` runs: two nodes that are killed, and whose database and store are away, under load. */
export default defineConfig({
  test: {
    pool,
    // Each has several nodes of its own.
    maxWorkers: 1,
    testTimeout,
    hookTimeout,
    ...(expect && { expect }),
    include: ['**/*.long.test.ts'],
    globalSetup: [...[globalSetup].flat(), 'tests/support/both-back-ends.ts'],
    reporters: ['default', new ClosingLines(['all other tests (npm run test:full)'])],
  },
})
