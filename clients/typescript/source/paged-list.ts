import { unexpectedResponse } from './problem.ts'

/** Some lists have cursors: `next` is sent as `after`, so that no entry is repeated or left out if the list changes. */
type Pagination = { page: number | null; pages: number; limit: number; total: number; next?: string | null }
type Query = { page?: number; offset?: number; after?: string }

/** No list has as many pages. Without this limit, a faulty service could keep its client busy forever. */
const maxPages = 100_000

/**
 * All items of a list, page by page: `for await (const photo of list)`. A page is requested when it is needed. Throws
 * ProofroomError if the pages do not follow each other, or after 100,000 of them.
 */
export type PagedList<Item, Page> = AsyncIterable<Item> & {
  /** The responses, for totals and what else a page has. */
  pages: () => AsyncIterable<Page>
  /** The first page, or that of `page` in the query. */
  first: () => Promise<Page>
}

export function pagedList<Item, Page>(
  key: string,
  query: object | undefined,
  load: (query: object | undefined) => Promise<{ response: Response; page: Page }>,
): PagedList<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let given: Query | null = query ?? {}
    for (let count = 1; given !== null; count++) {
      const { response, page } = await load(given)
      yield page
      const next = nextQuery(given, (page as { pagination: Pagination }).pagination)
      if (next === 'unordered') throw unexpectedResponse(response, 'is not the requested page of the list')
      if (next !== null && count === maxPages)
        throw unexpectedResponse(response, `says that the list has more than ${maxPages} pages`)
      given = next
    }
  }
  return {
    pages,
    first: async () => (await load(query)).page,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* (page as Record<string, Item[]>)[key] ?? []
    },
  }
}

/** Returns null after the last page, and `unordered` if the answer does not lead on from `query`. */
function nextQuery(query: Query, { page, pages, limit, total, next }: Pagination): Query | 'unordered' | null {
  const { page: asked = 1, offset, ...filters } = query
  if (next === null) return null
  if (next !== undefined) return next === query.after ? 'unordered' : { ...filters, after: next }
  if (offset !== undefined) {
    if (!(limit >= 1)) return 'unordered'
    return offset + limit < total ? { ...filters, offset: offset + limit } : null
  }
  if (page === null || page >= pages) return null
  return page === asked ? { ...filters, page: page + 1 } : 'unordered'
}
