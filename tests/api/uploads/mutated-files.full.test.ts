import { test } from 'vitest'
import { isLongRun } from '../../support/run/long-run.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { feedMutatedFiles } from '../../support/uploads/feed-mutated-files.ts'

const filesPerFormat = isLongRun ? 100 : 30

// Hundreds of pictures and clips are decoded by other processes.
test(`${filesPerFormat} damaged files of each format never hold up the service`, { timeout: 180_000 }, async () => {
  await feedMutatedFiles(await serviceForTest(), filesPerFormat)
})
