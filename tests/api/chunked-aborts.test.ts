import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSession } from '../support/chunked-client.ts'
import { versionedFile } from '../support/chunked-versions.ts'
import { createEvent } from '../support/events.ts'
import { storedFiles } from '../support/stored-files.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const attempts = 60

test('an upload that is aborted while a chunk begins leaves nothing, whichever comes first', async () => {
  const { id } = await createEvent(service.api)
  const place = () => ({ url: service.url, token: service.admin.token ?? '' })
  const file = versionedFile(20_000)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const session = await openSession(place, id, file.sizeBytes)
    const sending = session.send(0, file.chunk(0, attempt))
    // Before, while and after the chunk begins.
    await sleep(attempt % 4)
    expect((await session.abort()).status).toBe(200)
    // Either may come first.
    expect([200, 404]).toContain((await sending)?.status)
  }
  expect(await storedFiles(service)).toEqual([])
})
