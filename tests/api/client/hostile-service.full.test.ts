import { expect, test } from 'vitest'
import { createProofroom } from '../../../clients/typescript/source/index.ts'
import { pagedList } from '../../../clients/typescript/source/paged-list.ts'

/** A client of a service that answers with `answer`, and the addresses it has asked for. */
function connectTo(answer: (url: URL) => Response) {
  const asked: string[] = []
  const fetch = async ({ url }: Request) => {
    asked.push(url)
    // A client that does not stop by itself ends here.
    if (asked.length > 100) throw new Error('The client does not stop.')
    return answer(new URL(url))
  }
  return {
    asked,
    proofroom: createProofroom({ baseUrl: 'http://127.0.0.1:1', token: 'prf_live_1', fetch, retries: 0 }),
  }
}

async function readAll(list: AsyncIterable<unknown>): Promise<void> {
  for await (const _item of list);
}

test('a list ends with an error if the service repeats a page, goes back or has no length', async () => {
  const cases: Array<[pagination: object, query: { page?: number; offset?: number }]> = [
    [{ page: 1, pages: 10_000_000, limit: 100, total: 1e9 }, {}],
    [{ page: -5, pages: 10, limit: 100, total: 1000 }, { page: 3 }],
    [{ page: null, pages: 10, limit: 100, total: 1000, next: 'a' }, {}],
    [{ page: null, pages: 10, limit: 0, total: 1000 }, { offset: 5 }],
  ]
  for (const [pagination, query] of cases) {
    const { proofroom, asked } = connectTo(() => Response.json({ photos: [], events: [], pagination }))
    await expect(readAll(proofroom.events.list(query)), JSON.stringify(pagination)).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: 'The response is not the requested page of the list.',
    })
    expect(asked.length).toBeLessThanOrEqual(2)
  }
})

test('a list ends with an error after 100,000 pages', async () => {
  let count = 0
  const response = new Response()
  const list = pagedList('photos', {}, async () => {
    const pagination = { page: null, pages: 1, limit: 1, total: 1, next: `${++count}` }
    return { response, page: { pagination } }
  })
  await expect(readAll(list)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' })
  expect(count).toBe(100_000)
})

test.each([200, 500])('an answer with the status %d is read up to 64 MB', async (status) => {
  let sentMegabytes = 0
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++sentMegabytes > 200) return controller.close()
        controller.enqueue(new Uint8Array(2 ** 20).fill(32))
      },
    })
  const { proofroom } = connectTo(() => new Response(endless(), { status }))
  await expect(proofroom.me()).rejects.toMatchObject({
    code: 'UNEXPECTED_RESPONSE',
    status,
    message: 'The response is larger than 64 MB.',
  })
  expect(sentMegabytes).toBeLessThan(75)
})
