import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEvent } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { openSession } from '../../support/uploads/chunked-client.ts'
import { createVersionedFile } from '../../support/uploads/chunked-versions.ts'

const service = await serviceForFile()
const attempts = 40

test('aborting an upload while a chunk arrives leaves no files, in any order', async () => {
  const { id } = await createEvent(service.api)
  const target = () => ({ url: service.url, token: service.admin.token ?? '' })
  const file = createVersionedFile(20_000)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const session = await openSession(target, id, file.sizeBytes)
    const sending = session.send(0, file.chunk(0, attempt))
    // The delays of 0 to 3 milliseconds vary which request arrives first.
    await sleep(attempt % 4)
    expect((await session.abort()).status).toBe(200)
    expect([200, 404]).toContain((await sending)?.status)
  }
  expect(await listStoredFiles(service)).toEqual([])
})
