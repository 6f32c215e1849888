import { randomBytes } from 'node:crypto'
import { removeTestBuckets } from '../storage/test-bucket.ts'

/** Sets a name for the run, which child processes inherit. Returns the function that removes the buckets of the run. */
export default function nameRun(): () => Promise<void> {
  process.env.TEST_RUN ??= randomBytes(4).toString('hex')
  return removeTestBuckets
}
