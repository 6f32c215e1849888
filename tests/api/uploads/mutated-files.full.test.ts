import { test } from 'vitest'
import { serviceForTest } from '../../support/service/test-service.ts'
import { feedMutatedFiles } from '../../support/uploads/feed-mutated-files.ts'

// Other processes decode pictures and clips.
test('eight damaged files of each format never hold up the service', { timeout: 180_000 }, async () => {
  await feedMutatedFiles(await serviceForTest(), 8)
})
