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

const twoChunks = new Blob([new Uint8Array(10_485_761)])

test.each([3, 4_294_967_295, -1, '2', null])(
  'an upload ends with an error if %j chunks are expected',
  async (count) => {
    const { proofroom, asked } = connectTo(() =>
      Response.json({ uploadId: 'a', expectedChunks: count, receivedIndexes: [], fileSize: twoChunks.size }),
    )
    const problem = {
      code: 'UNEXPECTED_RESPONSE',
      message: 'The response does not expect the 2 chunks of a file of 10485761 bytes.',
    }
    const upload = (options: object) =>
      proofroom.photos.upload(1, twoChunks, { name: 'a.jpg', chunkedFromBytes: 0, ...options })
    await expect(upload({})).rejects.toMatchObject(problem)
    await expect(upload({ resume: 'a' })).rejects.toMatchObject(problem)
    expect(asked).toHaveLength(2)
  },
)

test.each([[[0, 2]], [[-1]], [[0.5]], [['0']], ['all'], [{ length: 1e9 }]])(
  'an upload ends with an error if the chunks %j are missing',
  async (missing) => {
    const { proofroom, asked } = connectTo(({ pathname }) =>
      pathname.endsWith('/complete')
        ? Response.json({ error: 'Some chunks are missing.', code: 'MISSING_CHUNKS', missing }, { status: 409 })
        : Response.json({ uploadId: 'a', expectedChunks: 2 }),
    )
    await expect(proofroom.photos.upload(1, twoChunks, { name: 'a.jpg', chunkedFromBytes: 0 })).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: 'The response names missing chunks that the file does not have.',
    })
    expect(asked).toHaveLength(4)
  },
)
