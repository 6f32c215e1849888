/** Some lists have cursors: `next` is sent as `after`, so that no entry is repeated or left out if the list changes. */
type Pagination = { page: number | null; pages: number; limit: number; total: number; next?: string | null }
type Query = { page?: number; offset?: number; after?: string }

/** All items of a list, page by page: `for await (const photo of list)`. A page is requested when it is needed. */
export type PagedList<Item, Page> = AsyncIterable<Item> & {
  /** The responses, for totals and what else a page has. */
  pages: () => AsyncIterable<Page>
  /** The first page, or that of `page` in the query. */
  first: () => Promise<Page>
}

export function pagedList<Item, Page>(
  key: string,
  query: object | undefined,
  load: (query: object | undefined) => Promise<Page>,
): PagedList<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    for (let given: Query | null = query ?? {}; given !== null; ) {
      const page = await load(given)
      yield page
      given = nextQuery(given, (page as { pagination: Pagination }).pagination)
    }
  }
  return {
    pages,
    first: () => load(query),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* (page as Record<string, Item[]>)[key] ?? []
    },
  }
}

/** Returns null after the last page. */
function nextQuery(query: Query, { page, pages, limit, total, next }: Pagination): Query | null {
  const { page: _page, offset, ...filters } = query
  if (next !== undefined) return next === null ? null : { ...filters, after: next }
  if (offset !== undefined) return offset + limit < total ? { ...filters, offset: offset + limit } : null
  return page !== null && page < pages ? { ...filters, page: page + 1 } : null
}
