import { buildServerWhenStale } from '../../tools/build-server.ts'
import { buildWebWhenStale } from '../../tools/build-web.ts'
import { isInCi } from './requirements.ts'

/**
 * Processes that tests start run what is built of the sources as they are, and so do browsers. While a source is being
 * edited the tests go on with what was built last; CI has no such time.
 */
export default async function buildWhenStale(): Promise<void> {
  for (const build of [buildServerWhenStale, buildWebWhenStale]) {
    await build().catch((error) => {
      if (isInCi) throw error
      process.stderr.write(`The sources do not build, so tests meet what was built before:\n${error.message}\n`)
    })
  }
}
