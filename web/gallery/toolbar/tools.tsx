import './tools.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { categoryName } from '../../../contract/category-names.ts'
import type { GalleryListQueryParams } from '../../../contract/gallery/gallery-page.ts'
import { createFilterQuery, endEntrySeries, getQueryUrl, navigateToQuery } from '../filters/navigate-to-query.ts'
import { applyScope, hiddenFilterCount, includesValue, isFiltered } from '../filters/query-rules.ts'
import { hasSmallTiles, toggleTileSize } from '../grid/tile-size.ts'
import { Icon } from '../parts/icon.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { pickFilter, pickKind, t } from '../state/page.ts'
import { asked, categories, groupStarts } from '../state/photos.ts'
import { UploadButton } from '../upload/upload-button.tsx'
import { MoreMenu } from './more-menu.tsx'
import { Search } from './search.tsx'
import { SortChoice } from './sort-choice.tsx'

/** The chips must match the server's markup (`tools` in server/gallery/pages/gallery-page.ts). */
export function Tools() {
  const currentQuery = asked.value
  const chips = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chips.current) return initChipScroll(chips.current)
  }, [])
  return (
    <>
      <nav ref={chips} class="chips" aria-label={t('filters')}>
        <Chip nextQuery={createFilterQuery({})} isOn={!isFiltered(currentQuery)}>
          {t('all')}
        </Chip>
        {pickKind && (
          <Chip
            kind="chip mine"
            nextQuery={applyScope(currentQuery, { filter: pickFilter }, pickFilter)}
            isOn={includesValue(currentQuery, 'filter', pickFilter)}
          >
            {t('myPicks')}
          </Chip>
        )}
        {categories.value.map((category) => (
          <Chip
            key={category.id}
            nextQuery={applyScope(currentQuery, { category_id: String(category.id) }, pickFilter)}
            isOn={currentQuery.category_id === String(category.id)}
          >
            {categoryName(t, category)}
          </Chip>
        ))}
      </nav>
      {/* First, because it appears once all photos are known, and must not move the other buttons then. */}
      <JumpButton />
      <Search />
      <FilterButton count={hiddenFilterCount(currentQuery, pickFilter)} />
      <SizeSwitch />
      <SortChoice />
      <UploadButton />
      <MoreMenu />
    </>
  )
}

/** Scrolls to the active chip, and lets a vertical wheel scroll the row. */
function initChipScroll(row: HTMLElement): () => void {
  const chip = row.querySelector<HTMLElement>('[aria-current]')
  if (chip) row.scrollLeft = chip.offsetLeft - row.offsetLeft - (row.clientWidth - chip.offsetWidth) / 2
  const isRightToLeft = getComputedStyle(row).direction === 'rtl'
  const onWheel = (event: WheelEvent) => {
    if (row.scrollWidth <= row.clientWidth || event.deltaX !== 0) return
    const before = row.scrollLeft
    row.scrollLeft += isRightToLeft ? -event.deltaY : event.deltaY
    // At the end of the row, the wheel scrolls the page.
    if (row.scrollLeft !== before) event.preventDefault()
  }
  row.addEventListener('wheel', onWheel, { passive: false })
  return () => row.removeEventListener('wheel', onWheel)
}

type ChipProps = { kind?: string; nextQuery: GalleryListQueryParams; isOn: boolean; children: ComponentChildren }

/** A link, so that guests can copy its address or open it in a new tab. */
const Chip = ({ kind = 'chip', nextQuery, isOn, children }: ChipProps) => (
  <a
    class={kind}
    href={getQueryUrl(nextQuery)}
    aria-current={isOn ? 'true' : undefined}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      navigateToQuery(nextQuery)
    }}
  >
    <bdi>{children}</bdi>
  </a>
)

function JumpButton() {
  if (groupStarts.value.length < 2) return null
  return (
    <button type="button" class="round jump" aria-haspopup="dialog" aria-label={t('jumpTo')} onClick={openJumpSheet}>
      <Icon name="list" />
    </button>
  )
}

const openJumpSheet = () => openDialog(async () => (await import('./jump-sheet.tsx')).JumpSheet, {})

const SizeSwitch = () => (
  <button
    type="button"
    class="round size"
    aria-pressed={hasSmallTiles.value}
    aria-label={t('smallPhotos')}
    onClick={toggleTileSize}
  >
    <Icon name="tiles" />
  </button>
)

const FilterButton = ({ count }: { count: number }) => (
  <button
    type="button"
    class="chip filter-opener"
    aria-haspopup="dialog"
    aria-label={count > 0 ? t('filtersOn', { count }) : t('filters')}
    onClick={openFilters}
  >
    <Icon name="sliders" />
    <span class="word">{t('filters')}</span>
    {count > 0 && <b class="count">{count}</b>}
  </button>
)

async function openFilters(): Promise<void> {
  endEntrySeries()
  await openDialog(async () => (await import('./filter-sheet.tsx')).FilterSheet, {})
  endEntrySeries()
}
