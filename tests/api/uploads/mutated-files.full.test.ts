import { test } from 'vitest'
import { serviceForTest } from '../../support/service/test-service.ts'
import { feedMutatedFiles } from '../../support/uploads/feed-mutated-files.ts'

test('a hundred damaged files of each format never hold up the service', async () => {
  await feedMutatedFiles(await serviceForTest(), 100)
})
