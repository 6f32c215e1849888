import { test } from 'vitest'
import { createClient } from '../../support/clients/test-client.ts'
import { startKillableService } from '../../support/service/killable-service.ts'
import { serviceForTest } from '../../support/service/test-service.ts'
import { feedMutatedFiles } from '../../support/uploads/feed-mutated-files.ts'

test('two thousand damaged files of each format never hold up the service', async () => {
  // The clients of so many uploads take more memory than the service, whose process the next test watches.
  await feedMutatedFiles(await serviceForTest(), 2_000, null)
}, 1_800_000)

test('a thousand damaged files of each format leave the memory of the service bounded', async () => {
  const service = await startKillableService()
  const clients = { admin: service.admin(), api: service.api(), anonymous: createClient(service.address().url) }
  await feedMutatedFiles(clients, 1_000, service.residentBytes)
}, 1_800_000)
