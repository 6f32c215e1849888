import { randomBytes } from 'node:crypto'
import { removeTestBuckets } from './test-bucket.ts'

/** Gives the run a name, which its processes inherit, and removes the buckets that they have made. */
export default function nameRun(): () => Promise<void> {
  process.env.TEST_RUN ??= randomBytes(4).toString('hex')
  return removeTestBuckets
}
