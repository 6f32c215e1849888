import { buildServerIfStale } from '../../../tools/build-server.ts'
import { buildWebIfStale } from '../../../tools/build-web.ts'
import { isInCi } from './requirements.ts'

/**
 * Builds the server and the web apps if they are outdated. When a build fails, the tests use the previous build; in CI
 * the run fails.
 */
export default async function buildWhenStale(): Promise<void> {
  for (const build of [buildServerIfStale, buildWebIfStale]) {
    await build().catch((error) => {
      if (isInCi) throw error
      process.stderr.write(`The sources do not build, so tests meet what was built before:\n${error.message}\n`)
    })
  }
}
