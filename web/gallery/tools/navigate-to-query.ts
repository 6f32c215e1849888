import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { showNotice } from '../parts/notices.tsx'
import { addQuery } from '../state/api.ts'
import { addEntry, getEntryFacts, onHistoryChange, updateEntry, whenHistoryIdle } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { asked, loadList } from '../state/photos.ts'
import { normalizeQuery, parseQuery } from './query-rules.ts'

export function createFilterQuery(filter: GalleryListQueryParams): GalleryListQueryParams {
  const { sort, order } = asked.value
  return normalizeQuery({ ...filter, sort, order })
}

export const getQueryUrl = (query: GalleryListQueryParams): string => addQuery(location.pathname, normalizeQuery(query))

/** With `isSameEntry`, consecutive changes, such as the letters of a search, share one history entry. */
export function navigateToQuery(nextQuery: GalleryListQueryParams, { isSameEntry = false } = {}): void {
  whenHistoryIdle(() => {
    const isSameSeries = isSameEntry && getEntryFacts().isBitByBit
    if (isSameSeries) updateEntry({}, getQueryUrl(nextQuery))
    else addEntry({ isBitByBit: isSameEntry }, getQueryUrl(nextQuery))
  })
  const photos = document.getElementById('photos')
  if (photos && photos.getBoundingClientRect().top < 0) photos.scrollIntoView()
  loadQuery(normalizeQuery(nextQuery))
}

/** Ends a series of changes that share one history entry. */
export function endEntrySeries(): void {
  whenHistoryIdle(() => getEntryFacts().isBitByBit && updateEntry({ isBitByBit: false }))
}

onHistoryChange(() => {
  const nextQuery = parseQuery(location.search)
  if (JSON.stringify(nextQuery) !== JSON.stringify(normalizeQuery(asked.value))) loadQuery(nextQuery)
})

function loadQuery(nextQuery: GalleryListQueryParams): void {
  loadList(nextQuery).catch((error) => {
    if (!(error instanceof DOMException)) showNotice(t('failed'), { isError: true })
  })
}
