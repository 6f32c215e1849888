import { test } from 'vitest'
import { serviceForTest } from '../../support/service/test-service.ts'
import { feedMutatedFiles } from '../../support/uploads/feed-mutated-files.ts'

test('two thousand damaged files of each format never hold up the service', async () => {
  await feedMutatedFiles(await serviceForTest(), 2_000)
}, 1_800_000)
