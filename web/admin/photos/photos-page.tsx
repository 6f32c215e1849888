import { readStored, writeStored } from '../../shared/browser-storage.ts'
import './photos-page.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Permission } from '../../../contract/access.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button } from '../components/button.tsx'
import { LoadError, Loading } from '../components/loaded.tsx'
import { Empty } from '../components/page.tsx'
import { useEvent } from '../events/event-context.tsx'
import { FirstLookLine } from '../events/first-look/first-look-line.tsx'
import { UploadPanel } from '../uploads/upload-panel.tsx'
import { useUploadChoice } from '../uploads/use-upload-choice.ts'
import { BulkBar } from './actions/bulk-bar.tsx'
import { setVisibility } from './actions/change-photos.ts'
import { maxIdsPerZip, saveZip } from './actions/download-photos.ts'
import { trashPhotos } from './actions/trash-photos.ts'
import { CategoriesBar } from './filters/categories-bar.tsx'
import { FilterChips } from './filters/filter-chips.tsx'
import { PhotoTools } from './filters/photo-tools.tsx'
import { cellSizes } from './grid/grid-layout.ts'
import { PhotoGrid } from './grid/photo-grid.tsx'
import { usePhotoPages } from './grid/use-photo-pages.ts'
import { useSelection } from './grid/use-selection.ts'
import type { MarkChange } from './marks/mark-keys.ts'
import { markPhotos, marksLabel } from './marks/mark-photos.ts'
import type { Photo } from './model/photo-queries.ts'
import { formatPhotoSearch, listFilters, type PhotoSearch, parsePhotoSearch } from './model/photo-search.ts'
import { withRememberedOrder } from './model/remembered-order.ts'
import { OrderHint } from './order/order-hint.tsx'
import { useManualOrder } from './order/use-manual-order.ts'
import { type OpenDialog, PhotoDialogs } from './photo-dialogs.tsx'
import { showViewerDetails } from './viewer/photo-viewer.tsx'
import { ViewerRoute } from './viewer/viewer-route.tsx'

const t = translator('photos')

export function PhotosPage() {
  const page = usePhotosPage()
  const { event, can, search, onSearch, openPhotoId, pages, selection, cursor, openDialog, setOpenDialog } = page
  const { photoAt, count, total } = pages
  return (
    <div className={`photos-page${search.review === 'waiting' ? ' reviewing' : ''}`}>
      {event.has_first_look && <FirstLookLine event={event} />}
      {page.upload && <UploadPanel key={event.id} choice={page.upload} isFolded={total > 0} />}
      {total > 0 && <PhotosHead page={page} />}
      {pages.error !== null && <LoadError error={pages.error} onRetry={pages.retry} />}
      {!pages.isLoaded && pages.error === null && <Loading />}
      {pages.isLoaded && count === 0 && total > 0 && listFilters(search).length > 0 && (
        <Empty {...describeNoneFound(search)}>
          <Button onClick={() => onSearch({})}>{t('noFilters')}</Button>
        </Empty>
      )}
      {pages.isLoaded && total === 0 && !can('photos.upload') && <Empty title={t('empty')} text={t('emptyText')} />}
      {pages.isLoaded && count > 0 && (
        <PhotoGrid
          eventId={event.id}
          coverId={event.cover_photo_id}
          count={count}
          cellPx={page.cellPx}
          photoAt={photoAt}
          onVisibleRange={pages.setVisibleRange}
          selection={selection}
          cursor={cursor}
          onMoveCursor={page.moveCursor}
          onOpen={page.open}
          onMenu={(index, trigger) => {
            const photo = photoAt(index)
            page.moveCursor(index, false)
            if (photo) page.openMenu(photo, index, trigger)
          }}
          onMark={(index, change) => page.mark(page.listTargetIds(index), change)}
          onDelete={(index) => void page.remove(page.listTargetIds(index))}
          onMove={page.move}
          onReview={page.review}
        />
      )}
      <p className="heard" aria-live="polite">
        {page.announcement}
      </p>
      <BulkBar
        eventId={event.id}
        ids={selection.ids}
        coverId={event.cover_photo_id}
        isArchived={event.is_archived}
        onCategorize={(ids) => setOpenDialog({ kind: 'place', ids })}
        onDownload={(ids) => {
          if (ids.length > maxIdsPerZip) setOpenDialog({ kind: 'download', ids })
          else void saveZip(event.id, { ids: ids.join(',') })
        }}
        onClear={selection.clear}
      />
      {openPhotoId !== null && (
        <ViewerRoute
          eventId={event.id}
          photoId={openPhotoId}
          search={search}
          count={count}
          photoAt={photoAt}
          isListLoaded={pages.isLoaded}
          cursorIndex={cursor.index}
          canMark={can('photos.edit')}
          onMoveCursor={page.moveCursor}
          onMark={(id, change) => page.mark([id], change)}
          onReview={page.review}
          onMenu={page.openMenu}
        />
      )}
      {openDialog && (
        <PhotoDialogs
          event={event}
          openDialog={openDialog}
          isViewerOpen={openPhotoId !== null}
          onOpenDialog={setOpenDialog}
          onOpen={page.open}
          onVisibility={page.setPhotoVisibility}
          onDelete={page.remove}
          onMove={page.move && ((from, isToStart) => void page.move?.(from, isToStart ? 0 : count))}
        />
      )}
    </div>
  )
}

/** What can be done with selected photos needs one of these. */
const selectedActions = ['photos.edit', 'photos.download', 'photos.delete'] as const

function usePhotosPage() {
  const event = useEvent()
  const hasPermission = useHasPermission()
  const can = (permission: Permission) => hasPermission(permission) && !event.is_archived
  const navigate = useNavigate({ from: '/events/$eventId/' })
  const address = useSearch({ from: '/inside/events/$eventId/' })
  const addressText = JSON.stringify(withRememberedOrder(parsePhotoSearch(address)))
  const search = useMemo((): PhotoSearch => JSON.parse(addressText), [addressText])
  const openPhotoId = Number(address.photo) >= 1 ? Number(address.photo) : null

  const pages = usePhotoPages(event.id, search)
  const { photoAt } = pages
  const selection = useSelection({ eventId: event.id, search, photoAt }, selectedActions.some(can))
  const [cursor, setCursor] = useState({ index: 0, wantsFocus: false })
  const moveCursor = useCallback((index: number, wantsFocus: boolean) => setCursor({ index, wantsFocus }), [])
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [cellPx, setCellPx] = useStoredCellSize()
  const [announcement, setAnnouncement] = useState('')
  const upload = useUploadChoice(Number(search.category_id) || null)
  useFocusReturn(openDialog === null && openPhotoId === null, () => moveCursor(cursor.index, true))

  const onSearch = (next: PhotoSearch) => {
    moveCursor(0, false)
    void navigate({ search: formatPhotoSearch(next), replace: true, resetScroll: false })
  }
  const open = (index: number, hasDetails = false) => {
    const photo = photoAt(index)
    if (!photo) return
    if (hasDetails) showViewerDetails()
    moveCursor(index, false)
    void navigate({
      search: { ...formatPhotoSearch(search), photo: photo.id },
      state: (state) => ({ ...state, hasOpened: true }),
      resetScroll: false,
    })
  }
  /** An action on a selected photo applies to the whole selection. */
  const listTargetIds = (index: number): number[] => {
    const photo = photoAt(index)
    if (!photo) return []
    return selection.ids.has(photo.id) ? [...selection.ids] : [photo.id]
  }
  const mark = (ids: number[], change: MarkChange) => {
    if (can('photos.edit') && ids.length > 0) setAnnouncement(marksLabel(markPhotos(event.id, ids, change), ids.length))
  }
  /** The viewer and the cursor go on to the next photo, because `action` removes these photos from the list. */
  const removeFromList = async (ids: number[], action: () => Promise<boolean>) => {
    const isOpenInViewer = openPhotoId !== null && ids.includes(openPhotoId)
    const [after, before] = [photoAt(cursor.index + 1), photoAt(cursor.index - 1)]
    if (!(await action())) return
    selection.removeIds(ids)
    // The photo after the removed one now has its index. Without such a photo, the cursor moves to the previous one.
    setCursor(({ index }) => ({ index: after ? index : Math.max(0, index - 1), wantsFocus: !isOpenInViewer }))
    if (!isOpenInViewer) return
    const next = after ?? before
    void navigate({
      search: { ...formatPhotoSearch(search), ...(next && { photo: next.id }) },
      replace: true,
      resetScroll: false,
      state: (state) => state,
    })
  }
  const remove = async (ids: number[]) => {
    if (!can('photos.delete') || ids.length === 0) return
    await removeFromList(ids, () => trashPhotos(event.id, ids).then(() => true))
  }
  const setPhotoVisibility = (photo: Photo, visibility: Photo['visibility']) => {
    const change = () => setVisibility(event.id, [photo.id], visibility)
    const isRemoved = search.review !== undefined || (search.visibility ?? visibility) !== visibility
    void (isRemoved ? removeFromList([photo.id], change) : change())
  }
  const review = can('photos.edit') ? setPhotoVisibility : null
  const move = useManualOrder({
    list: { eventId: event.id, search, count: pages.count, photoAt },
    canEdit: can('photos.edit'),
    listTargetIds,
    onMoved: (index, message) => {
      setAnnouncement(message)
      moveCursor(index, true)
    },
  })
  const openMenu = (photo: Photo, index: number | null, trigger: HTMLElement) =>
    setOpenDialog({ kind: 'menu', photo, index, trigger })
  const state = { event, can, search, openPhotoId, pages, selection, cursor, openDialog, cellPx, announcement, upload }
  const actions = { onSearch, moveCursor, setOpenDialog, setCellPx, open, openMenu, listTargetIds, mark, remove, move }
  return { ...state, ...actions, review, setPhotoVisibility }
}

function describeNoneFound(search: PhotoSearch) {
  if (search.review !== undefined) return { title: t('noneWaiting'), text: t('noneWaitingText') }
  const isCategory = Number(search.category_id) > 0 && listFilters(search).length === 1
  if (isCategory) return { title: t('emptyCategory'), text: t('emptyCategoryText') }
  return { title: t('noneFound'), text: t('noneFoundText') }
}

function PhotosHead({ page }: { page: ReturnType<typeof usePhotosPage> }) {
  const { event, can, search, onSearch, pages, setOpenDialog } = page
  const { total, count } = pages
  const manageCategories = can('events.edit') ? () => setOpenDialog({ kind: 'categories' }) : null
  const hasPermission = useHasPermission()
  return (
    <div className="photos-head">
      <CategoriesBar eventId={event.id} search={search} total={total} onSearch={onSearch} onManage={manageCategories} />
      <PhotoTools
        search={search}
        onSearch={onSearch}
        cellPx={page.cellPx}
        onCellPx={page.setCellPx}
        hasPhotos={count > 0}
        onSelectAll={page.selection.canSelect ? page.selection.selectAll : null}
        onDownloadAll={can('photos.download') ? () => void saveZip(event.id, toZipQuery(search)) : null}
        onRepair={hasPermission('photos.edit') ? () => setOpenDialog({ kind: 'repair' }) : null}
        onManageCategories={manageCategories}
        onShortcuts={() => setOpenDialog({ kind: 'keys' })}
        upload={page.upload}
      />
      <FilterChips search={search} onSearch={onSearch} count={count} total={total} />
      {page.move && <OrderHint event={event} canChangeEvent={can('events.edit')} />}
    </div>
  )
}

const toZipQuery = ({ sort: _, order: __, ...filters }: PhotoSearch): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))

const cellSizeKey = 'proofroom-desk-cell'

function useStoredCellSize(): [number, (cellPx: number) => void] {
  const [cellPx, setCellPx] = useState(() => {
    const stored = Number(readStored('localStorage', cellSizeKey))
    return stored >= cellSizes.minPx && stored <= cellSizes.maxPx ? stored : cellSizes.defaultPx
  })
  const store = (next: number) => {
    setCellPx(next)
    writeStored('localStorage', cellSizeKey, String(next))
  }
  return [cellPx, store]
}

/** Moves the focus back to the grid when a dialog or the viewer closes and nothing else has taken the focus. */
function useFocusReturn(hasNoOverlay: boolean, focusGrid: () => void): void {
  const hadNoOverlay = useRef(hasNoOverlay)
  const latest = useRef(focusGrid)
  latest.current = focusGrid
  useEffect(() => {
    const isOverlayClosed = hasNoOverlay && !hadNoOverlay.current
    hadNoOverlay.current = hasNoOverlay
    if (!isOverlayClosed) return
    const timer = setTimeout(() => document.activeElement === document.body && latest.current())
    return () => clearTimeout(timer)
  }, [hasNoOverlay])
}
