import type { TestProject } from 'vitest/node'
import readyPostgres from './postgres-back-end.ts'
import { isInCi, missing, objectStore } from './requirements.ts'
import { createTestBucket } from './test-bucket.ts'

/** Prepares PostgreSQL and a bucket. Without an object store, files are stored in a folder; in CI the run fails. */
export default async function readyBothBackEnds(project: TestProject): Promise<() => Promise<void>> {
  if (isInCi && !objectStore.isMet()) throw missing(objectStore)
  return readyPostgres(project, await createTestBucket())
}
