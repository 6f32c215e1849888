import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import { ClosingLines } from './tests/support/closing-lines.ts'
import standard from './vitest.config.ts'

/** What `npm run test:full` runs, and CI with it: all of `npm test`, the crash tests, full properties and the largest images. */
export default mergeConfig(
  { ...standard, test: { ...standard.test, exclude: configDefaults.exclude, reporters: [] } },
  defineConfig({
    test: { reporters: ['default', new ClosingLines('PostgreSQL and S3, which are not part of this version')] },
  }),
)
