import type { TestProject } from 'vitest/node'
import preparePostgres from './postgres-back-end.ts'
import { createMissingError, isInCi, objectStore } from './requirements.ts'
import { createTestBucket } from './test-bucket.ts'

/** Prepares PostgreSQL and a bucket. Without an object store, files are stored in a folder; in CI the run fails. */
export default async function prepareBothBackEnds(project: TestProject): Promise<() => Promise<void>> {
  if (isInCi && !objectStore.isMet()) throw createMissingError(objectStore)
  return preparePostgres(project, await createTestBucket())
}
