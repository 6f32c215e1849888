import type { TestProject } from 'vitest/node'
import readyPostgres from './postgres-back-end.ts'
import { isInCi, missing, objectStore } from './requirements.ts'
import { createTestBucket } from './test-bucket.ts'

/**
 * Prepares PostgreSQL and a bucket for all files of a run. Outside CI a missing object store means that files lie in a
 * folder; in CI it fails the run.
 */
export default async function readyBothBackEnds(project: TestProject): Promise<() => Promise<void>> {
  if (isInCi && !objectStore.isMet()) throw missing(objectStore)
  return readyPostgres(project, await createTestBucket())
}
