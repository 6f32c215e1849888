import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { showNotice } from '../parts/notices.tsx'
import { getToolbarHeight } from '../parts/toolbar-height.ts'
import { addQuery } from '../state/api.ts'
import { addEntry, getEntryFacts, onHistoryChange, updateEntry, whenHistoryIdle } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { asked, loadList } from '../state/photos.ts'
import { normalizeQuery, parseQuery } from './query-rules.ts'
import { restoreScrollLater } from './scroll-position.ts'

export function createFilterQuery(filter: GalleryListQueryParams): GalleryListQueryParams {
  const { sort, order } = asked.value
  return normalizeQuery({ ...filter, sort, order })
}

export const getQueryUrl = (query: GalleryListQueryParams): string => addQuery(location.pathname, normalizeQuery(query))

/** With `isSameEntry`, consecutive changes, such as the letters of a search, share one history entry. */
export function navigateToQuery(nextQuery: GalleryListQueryParams, { isSameEntry = false } = {}): void {
  const top = Math.round(scrollY)
  whenHistoryIdle(() => {
    const isSameSeries = isSameEntry && getEntryFacts().isBitByBit
    if (isSameSeries) updateEntry({}, getQueryUrl(nextQuery))
    else {
      updateEntry({ top })
      addEntry({ isBitByBit: isSameEntry, top: 0 }, getQueryUrl(nextQuery))
    }
  })
  const isScrolled = revealResult()
  loadQuery(normalizeQuery(nextQuery)).then(() => {
    // The number of found photos has appeared above the photos, and the browser has kept the photos where they were.
    if (isScrolled) requestAnimationFrame(revealResult)
  })
}

/**
 * Scrolls so that the number of found photos and the first row are below the tools, which stay above. Returns whether they
 * were not.
 */
function revealResult(): boolean {
  const [found, photos] = ['found', 'photos'].map((id) => document.getElementById(id)?.getBoundingClientRect())
  const first = found && found.height > 0 ? found : photos
  const hiddenPx = first ? Math.ceil(getToolbarHeight() - first.top) : 0
  if (hiddenPx <= 0) return false
  scrollBy({ top: -hiddenPx, behavior: 'instant' })
  return true
}

/** Ends a series of changes that share one history entry. */
export function endEntrySeries(): void {
  whenHistoryIdle(() => getEntryFacts().isBitByBit && updateEntry({ isBitByBit: false }))
}

onHistoryChange(() => {
  const nextQuery = parseQuery(location.search)
  if (JSON.stringify(nextQuery) === JSON.stringify(normalizeQuery(asked.value))) return
  restoreScrollLater(getEntryFacts().top)
  void loadQuery(nextQuery)
})

function loadQuery(nextQuery: GalleryListQueryParams): Promise<void> {
  return loadList(nextQuery).catch((error) => {
    if (!(error instanceof DOMException)) showNotice(t('failed'), { isError: true })
  })
}
