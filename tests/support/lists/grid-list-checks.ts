import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestClient } from '../clients/test-client.ts'
import type { TestEvent } from '../fixtures/events.ts'
import type { TestService } from '../service/test-service.ts'
import { createGalleryFixture, searchTerm } from './gallery-list-checks.ts'
import { type GridModelQuery, modelGridList } from './grid-list-model.ts'
import { modelColors } from './photo-list-model.ts'

const none = fc.constant(undefined)
const sometimes = (...query: Array<string | undefined>) => fc.constantFrom(undefined, undefined, ...query)

const createQueries = (categoryIds: readonly number[]): fc.Arbitrary<GridModelQuery> =>
  fc.record({
    category_id: sometimes('', 'all', ...categoryIds.map(String), '999999', 'individual', 'collage', 'uncategorized'),
    type: sometimes('', 'all', 'individual', 'collage'),
    search: searchTerm,
    has_likes: sometimes('true', 'false', ''),
    has_favorites: sometimes('true', 'false', ''),
    has_comments: sometimes('true', 'false', ''),
    min_rating: fc.oneof(
      none,
      fc.constantFrom('', '0'),
      fc.integer({ min: 0, max: 500 }).map((hundredths) => String(hundredths / 100)),
    ),
    color_label: sometimes('', 'all', ...modelColors, 'red,green'),
    logic: sometimes('AND', 'OR'),
    sort: fc.constantFrom(undefined, 'date', 'capture_date', 'name', 'size', 'rating', 'manual'),
    order: fc.constantFrom(undefined, 'asc', 'desc'),
  })

/** How a list is read: whole, by page number or by cursor. */
const readMode = fc.oneof(
  fc.constant({ kind: 'whole' as const, limit: 0 }),
  fc.record({ kind: fc.constantFrom('pages' as const, 'cursors' as const), limit: fc.integer({ min: 1, max: 20 }) }),
)

/** Compares random lists of an event with the model. The same seed repeats the event and the queries. */
export async function checkGridLists(service: TestService, seed: number, queries: number): Promise<void> {
  const { event, model, categoryIds, areCommentsApproved } = await createGalleryFixture(service, seed)
  const property = fc.asyncProperty(createQueries(categoryIds), readMode, async (query, { kind, limit }) => {
    const expected = modelGridList(model, areCommentsApproved, query)
    const read = { whole: readWhole, pages: readPages, cursors: readCursors }[kind]
    const { ids, paginations } = await read(service.admin, event, query, limit)
    expect(ids).toEqual(expected)
    for (const one of paginations) {
      expect(one).toMatchObject({
        total: model.length,
        filtered: expected.length,
        limit: limit || null,
        pages: Math.ceil(expected.length / (limit || expected.length || 1)),
      })
    }
  })
  await fc.assert(property, { seed, numRuns: queries })
}

type Read = { ids: number[]; paginations: Array<{ pages: number; next: string | null }> }

async function readWhole(admin: TestClient, event: TestEvent, query: GridModelQuery): Promise<Read> {
  const { ids, pagination } = await read(admin, event, query)
  expect(pagination).toMatchObject({ page: 1, next: null })
  return { ids, paginations: [pagination] }
}

async function readPages(admin: TestClient, event: TestEvent, query: GridModelQuery, limit: number): Promise<Read> {
  const all: Read = { ids: [], paginations: [] }
  for (let page = 1; ; page++) {
    const { ids, pagination } = await read(admin, event, { ...query, limit, page })
    all.ids.push(...ids)
    all.paginations.push(pagination)
    expect({ page: pagination.page, hasNext: pagination.next !== null }).toEqual({
      page,
      hasNext: page < pagination.pages,
    })
    if (page >= pagination.pages) return all
  }
}

async function readCursors(admin: TestClient, event: TestEvent, query: GridModelQuery, limit: number): Promise<Read> {
  const all: Read = { ids: [], paginations: [] }
  for (let after: string | undefined; ; ) {
    const { ids, pagination } = await read(admin, event, { ...query, limit, after })
    all.ids.push(...ids)
    all.paginations.push(pagination)
    if (pagination.next === null) return all
    if (all.paginations.length > 1_000) throw new Error('The cursors do not come to an end')
    after = pagination.next
  }
}

async function read(admin: TestClient, { id }: TestEvent, query: object) {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  const { status, body } = await admin.get(`/api/admin/photos/${id}/photos?${new URLSearchParams(sent)}`)
  expect(status).toBe(200)
  return { ids: body.photos.map(({ id }: { id: number }) => id) as number[], pagination: body.pagination }
}
