import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'

const page = {
  slug: 'ana-ben',
  locale: 'en',
  viewer: { kind: 'guest', guest: null },
  feedback: { feedback_enabled: false },
  asked: {},
  categories: [],
  photos: [],
  total: 0,
  counts: {},
}

/** Functions that release the pending responses, by search text. */
const pendingResponses = new Map<string, () => void>()

async function respond(address: string, { signal }: RequestInit): Promise<Response> {
  const url = new URL(address, 'http://gallery.test')
  const search = url.searchParams.get('search') ?? ''
  if (url.pathname.endsWith('/outline')) await new Promise<void>((resolve) => pendingResponses.set(search, resolve))
  signal?.throwIfAborted()
  const pagination = { page: 1, limit: 100, total: 2, filtered: 1, pages: 1 }
  const photos = url.pathname.endsWith('/outline') ? [[Number(search), 3, 2]] : []
  return Response.json({ photos, categories: [], pagination })
}

let photos: typeof import('./photos.ts')
beforeAll(async () => {
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(page) }) })
  vi.stubGlobal('fetch', vi.fn(respond))
  photos = await import('./photos.ts')
})
afterAll(() => void vi.unstubAllGlobals())

const startLoad = (id: number) =>
  photos.loadList({ search: String(id) } satisfies GalleryListQueryParams).catch(() => undefined)
const release = async (id: number) => {
  await expect.poll(() => pendingResponses.has(String(id))).toBe(true)
  pendingResponses.get(String(id))?.()
}

test('shows the photos requested last even when an earlier request is answered later', async () => {
  const [first, second] = [startLoad(1), startLoad(2)]
  await release(2)
  await second
  expect(photos.outline.peek()).toEqual([{ id: 2, width: 3, height: 2 }])
  await release(1)
  await first
  expect(photos.outline.peek()).toEqual([{ id: 2, width: 3, height: 2 }])
  expect(photos.isLoading.peek()).toBe(false)
})
