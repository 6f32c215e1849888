import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { addPhotoRows } from '../../support/database/photo-rows.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import { isLongRun } from '../../support/run/long-run.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { api, admin } = service
const photoCount = isLongRun ? 30_000 : 3_000

let event: TestEvent
let ids: number[]
beforeAll(async () => {
  event = await createEvent(api)
  ids = await addPhotoRows(
    service,
    event.id,
    Array.from({ length: photoCount }, (_, index) => ({
      uploadedAt: 1_700_000_000_000 + index,
      visibility: 'visible' as const,
      sizeBytes: 1000 + index,
    })),
  )
})

async function openStream(query = ''): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${admin.token}` }
  const request = get(`${service.url}/api/admin/photos/${event.id}/photos?${query}`, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

type PhotoList = { photos: Array<{ id: number }>; pagination: object }

async function readAll(answer: IncomingMessage): Promise<PhotoList> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

describe('without limit, all photos are streamed as one JSON response', () => {
  test('with its counts', async () => {
    const answer = await openStream()
    expect(answer.headers['content-length']).toBeUndefined()
    expect(answer.headers['cache-control']).toBe('no-store')
    const { photos, pagination } = await readAll(answer)
    expect(photos.map(({ id }) => id)).toEqual(ids)
    const counts = { total: photoCount, filtered: photoCount, pages: 1 }
    expect(pagination).toEqual({ page: 1, limit: null, next: null, ...counts })
  })

  // `server/photos/lists/stream-grid.test.ts` proves both of the following without HTTP.
  test('without duplicates or gaps, even if photos are deleted while it is sent', { tags: 'nightly' }, async () => {
    for (const sort of ['date', 'size']) {
      const answer = await openStream(`sort=${sort}&order=desc`)
      const deletedIds = ids.splice(0, 200)
      await admin.post(`/api/admin/photos/${event.id}/photos/bulk-delete`, { photoIds: deletedIds })
      const { photos } = await readAll(answer)
      const shown = photos.map(({ id }) => id)
      expect(new Set(shown).size).toBe(shown.length)
      // The service reads the end of the list after the deletion, because the client has read nothing before.
      expect(shown).toEqual(ids.toReversed())
    }
  })

  test('and does not block other requests while it waits for its client', { tags: 'nightly' }, async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => openStream()))
    const { status } = await admin.get(`/api/admin/photos/${event.id}/photos?limit=100&page=50`)
    expect(status).toBe(200)
    for (const answer of answers) answer.destroy()
    expect((await admin.get(`/api/admin/photos/${event.id}/photos?limit=1`)).status).toBe(200)
  })
})
