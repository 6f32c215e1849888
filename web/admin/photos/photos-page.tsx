import './photos-page.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button } from '../components/button.tsx'
import { LoadError, Loading } from '../components/loaded.tsx'
import { Empty } from '../components/page.tsx'
import { useEvent } from '../events/event-context.tsx'
import { UploadPanel } from '../uploads/upload-panel.tsx'
import { BulkBar } from './actions/bulk-bar.tsx'
import { deletePhotos } from './actions/delete-photos.ts'
import { saveZip } from './actions/download-dialog.tsx'
import { maxIdsPerZip } from './actions/download-photos.ts'
import { CategoriesBar } from './filters/categories-bar.tsx'
import { FilterChips } from './filters/filter-chips.tsx'
import { PhotoTools } from './filters/photo-tools.tsx'
import { PhotoGrid } from './grid/photo-grid.tsx'
import { useStoredCellSize } from './grid/stored-cell-size.ts'
import { usePhotoPages } from './grid/use-photo-pages.ts'
import { useSelection } from './grid/use-selection.ts'
import type { MarkChange } from './marks/mark-keys.ts'
import { marksLabel } from './marks/mark-labels.ts'
import { markPhotos } from './marks/mark-photos.ts'
import type { Photo } from './model/photo-queries.ts'
import { formatPhotoSearch, listFilters, type PhotoSearch, parsePhotoSearch } from './model/photo-search.ts'
import { type OpenDialog, PhotoDialogs } from './photo-dialogs.tsx'
import { useFocusReturn } from './use-focus-return.ts'
import { showViewerDetails } from './viewer/photo-viewer.tsx'
import { ViewerRoute } from './viewer/viewer-route.tsx'

const t = translator('photos')
const from = '/inside/events/$eventId/'

export function PhotosPage() {
  const event = useEvent()
  const hasPermission = useHasPermission()
  const navigate = useNavigate({ from: '/events/$eventId/' })
  const address = useSearch({ from })
  const addressText = JSON.stringify(parsePhotoSearch(address))
  const search = useMemo((): PhotoSearch => JSON.parse(addressText), [addressText])
  const openPhotoId = Number(address.photo) >= 1 ? Number(address.photo) : null

  const pages = usePhotoPages(event.id, search)
  const { photoAt, setVisibleRange, count, total } = pages
  const selection = useSelection({ eventId: event.id, search, photoAt })
  const [cursor, setCursor] = useState({ index: 0, wantsFocus: false })
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [cellPx, setCellPx] = useStoredCellSize()
  const [announcement, setAnnouncement] = useState('')
  const canUpload = hasPermission('photos.upload') && !event.is_archived
  const canEdit = hasPermission('photos.edit') && !event.is_archived
  useFocusReturn(openDialog === null && openPhotoId === null, () =>
    setCursor(({ index }) => ({ index, wantsFocus: true })),
  )

  const onSearch = (next: PhotoSearch) => {
    setCursor({ index: 0, wantsFocus: false })
    void navigate({ search: formatPhotoSearch(next), replace: true, resetScroll: false })
  }
  const moveCursor = useCallback((index: number, wantsFocus: boolean) => setCursor({ index, wantsFocus }), [])
  const open = (index: number, hasDetails = false) => {
    const photo = photoAt(index)
    if (!photo) return
    if (hasDetails) showViewerDetails()
    setCursor({ index, wantsFocus: false })
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
    if (canEdit && ids.length > 0) setAnnouncement(marksLabel(markPhotos(event.id, ids, change), ids.length))
  }
  const remove = async (ids: number[]) => {
    if (!hasPermission('photos.delete') || event.is_archived || ids.length === 0) return
    const isOpenInViewer = openPhotoId !== null && ids.includes(openPhotoId)
    const [after, before] = [photoAt(cursor.index + 1), photoAt(cursor.index - 1)]
    if (!(await deletePhotos(event.id, ids))) return
    selection.removeIds(ids)
    // The next photo moves to this index; after the last photo, the previous one is reached.
    setCursor(({ index }) => ({ index: after ? index : Math.max(0, index - 1), wantsFocus: !isOpenInViewer }))
    const next = after ?? before
    if (isOpenInViewer) {
      const shown = next ? { photo: next.id } : {}
      void navigate({
        search: { ...formatPhotoSearch(search), ...shown },
        replace: true,
        resetScroll: false,
        state: (state) => state,
      })
    }
  }
  const download = (ids: number[]) => {
    if (ids.length > maxIdsPerZip) setOpenDialog({ kind: 'download', ids })
    else void saveZip(event.id, { ids: ids.join(',') })
  }
  const openMenu = (photo: Photo, index: number | null, trigger: HTMLElement) =>
    setOpenDialog({ kind: 'menu', photo, index, trigger })

  const isFiltered = listFilters(search).length > 0
  return (
    <div className="photos-page">
      <UploadPanel eventId={event.id} />
      {total > 0 && (
        <div className="photos-head">
          <CategoriesBar
            eventId={event.id}
            search={search}
            total={total}
            onSearch={onSearch}
            onManage={
              hasPermission('events.edit') && !event.is_archived ? () => setOpenDialog({ kind: 'categories' }) : null
            }
          />
          <PhotoTools
            search={search}
            onSearch={onSearch}
            cellPx={cellPx}
            onCellPx={setCellPx}
            hasPhotos={count > 0}
            onSelectAll={selection.selectAll}
            onDownloadAll={
              hasPermission('photos.download') && !event.is_archived
                ? () => void saveZip(event.id, toZipQuery(search))
                : null
            }
            onRepair={hasPermission('photos.edit') ? () => setOpenDialog({ kind: 'repair' }) : null}
            onShortcuts={() => setOpenDialog({ kind: 'keys' })}
          />
          <FilterChips search={search} onSearch={onSearch} count={count} total={total} />
        </div>
      )}
      {pages.error !== null && <LoadError error={pages.error} onRetry={pages.retry} />}
      {!pages.isLoaded && pages.error === null && <Loading />}
      {pages.isLoaded && count === 0 && isFiltered && total > 0 && (
        <Empty title={t('noneFound')} text={t('noneFoundText')}>
          <Button onClick={() => onSearch({})}>{t('noFilters')}</Button>
        </Empty>
      )}
      {pages.isLoaded && total === 0 && !canUpload && <Empty title={t('empty')} text={t('emptyText')} />}
      {pages.isLoaded && count > 0 && (
        <PhotoGrid
          eventId={event.id}
          count={count}
          cellPx={cellPx}
          photoAt={photoAt}
          onVisibleRange={setVisibleRange}
          selection={selection}
          cursor={cursor}
          onMoveCursor={moveCursor}
          onOpen={open}
          onMenu={(index, trigger) => {
            const photo = photoAt(index)
            setCursor({ index, wantsFocus: false })
            if (photo) openMenu(photo, index, trigger)
          }}
          onMark={(index, change) => mark(listTargetIds(index), change)}
          onDelete={(index) => void remove(listTargetIds(index))}
        />
      )}
      <p className="heard" aria-live="polite">
        {announcement}
      </p>
      <BulkBar
        eventId={event.id}
        ids={selection.ids}
        isArchived={event.is_archived}
        onCategorize={(ids) => setOpenDialog({ kind: 'place', ids })}
        onDownload={download}
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
          canMark={canEdit}
          onMoveCursor={moveCursor}
          onMark={(id, change) => mark([id], change)}
          onMenu={openMenu}
        />
      )}
      {openDialog && (
        <PhotoDialogs
          event={event}
          openDialog={openDialog}
          isViewerOpen={openPhotoId !== null}
          onOpenDialog={setOpenDialog}
          onOpen={open}
          onDelete={remove}
        />
      )}
    </div>
  )
}

const toZipQuery = ({ sort: _, order: __, ...filters }: PhotoSearch): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
