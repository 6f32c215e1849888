import { buildWebWhenStale } from '../../tools/build-web.ts'
import { isInCi } from './requirements.ts'

/**
 * The service that tests start hands out what is built of the sources as they are. While one of them is being edited the
 * tests go on with what was built last; CI has no such time.
 */
export default (): Promise<void> =>
  buildWebWhenStale().catch((error) => {
    if (isInCi) throw error
    process.stderr.write(`The web app does not build, so tests meet the one of before:\n${error.message}\n`)
  })
