import type { TestProject } from 'vitest/node'
import { createTestBucket } from '../storage/test-bucket.ts'
import preparePostgres from './prepare-postgres.ts'
import { createMissingError, isInCi, objectStore } from './requirements.ts'

/** Prepares PostgreSQL and a bucket. Without an object store, files are stored in a folder; in CI the run fails. */
export default async function prepareBothBackEnds(project: TestProject): Promise<() => Promise<void>> {
  if (isInCi && !objectStore.isMet()) throw createMissingError(objectStore)
  return preparePostgres(project, await createTestBucket())
}
