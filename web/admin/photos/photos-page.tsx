import './photos-page.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { useEvent } from '../events/event-here.tsx'
import { Button } from '../parts/button.tsx'
import { Failed, Waiting } from '../parts/loaded.tsx'
import { Empty } from '../parts/page.tsx'
import { UploadPanel } from '../uploads/upload-panel.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CategoriesBar } from './categories-bar.tsx'
import { deletePhotos } from './delete-photos.ts'
import { saveZip } from './download-dialog.tsx'
import { idsOfAZip } from './download-photos.ts'
import { FilterChips } from './filter-chips.tsx'
import { useKeptSize } from './kept-size.ts'
import type { MarkChange } from './mark-keys.ts'
import { markPhotos } from './mark-photos.ts'
import { marksLabel } from './mark-words.ts'
import { type Asked, PhotoDialogs } from './photo-dialogs.tsx'
import { PhotoGrid } from './photo-grid.tsx'
import type { Photo } from './photo-queries.ts'
import { addressOf, filtersIn, type PhotoSearch, readSearch } from './photo-search.ts'
import { PhotoTools } from './photo-tools.tsx'
import { wantDetails } from './photo-viewer.tsx'
import { useFocusBack } from './use-focus-back.ts'
import { usePhotoPages } from './use-photo-pages.ts'
import { useSelection } from './use-selection.ts'
import { ViewerAt } from './viewer-at.tsx'

const t = translator('photos')
const from = '/inside/events/$eventId/'

export function PhotosPage() {
  const event = useEvent()
  const may = useMay()
  const navigate = useNavigate({ from: '/events/$eventId/' })
  const address = useSearch({ from })
  const addressText = JSON.stringify(readSearch(address))
  const search = useMemo((): PhotoSearch => JSON.parse(addressText), [addressText])
  const shownId = Number(address.photo) >= 1 ? Number(address.photo) : null

  const pages = usePhotoPages(event.id, search)
  const { photoAt, setVisibleRange, count, total } = pages
  const selection = useSelection({ eventId: event.id, search, photoAt })
  const [reached, setReached] = useState({ index: 0, wantsFocus: false })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [cellPx, setCellPx] = useKeptSize()
  const [announcement, setAnnouncement] = useState('')
  const mayUpload = may('photos.upload') && !event.is_archived
  const mayEdit = may('photos.edit') && !event.is_archived
  useFocusBack(asked === null && shownId === null, () => setReached(({ index }) => ({ index, wantsFocus: true })))

  const onSearch = (next: PhotoSearch) => {
    setReached({ index: 0, wantsFocus: false })
    void navigate({ search: addressOf(next), replace: true, resetScroll: false })
  }
  const reach = useCallback((index: number, wantsFocus: boolean) => setReached({ index, wantsFocus }), [])
  const open = (index: number, hasDetails = false) => {
    const photo = photoAt(index)
    if (!photo) return
    if (hasDetails) wantDetails()
    setReached({ index, wantsFocus: false })
    void navigate({
      search: { ...addressOf(search), photo: photo.id },
      state: (state) => ({ ...state, hasOpened: true }),
      resetScroll: false,
    })
  }
  /** An action on a selected photo applies to the whole selection. */
  const meantBy = (index: number): number[] => {
    const photo = photoAt(index)
    if (!photo) return []
    return selection.ids.has(photo.id) ? [...selection.ids] : [photo.id]
  }
  const mark = (ids: number[], change: MarkChange) => {
    if (mayEdit && ids.length > 0) setAnnouncement(marksLabel(markPhotos(event.id, ids, change), ids.length))
  }
  const remove = async (ids: number[]) => {
    if (!may('photos.delete') || event.is_archived || ids.length === 0) return
    const isShown = shownId !== null && ids.includes(shownId)
    const [after, before] = [photoAt(reached.index + 1), photoAt(reached.index - 1)]
    if (!(await deletePhotos(event.id, ids))) return
    selection.drop(ids)
    // The next photo moves to this index; after the last photo, the previous one is reached.
    setReached(({ index }) => ({ index: after ? index : Math.max(0, index - 1), wantsFocus: !isShown }))
    const next = after ?? before
    if (isShown) {
      const shown = next ? { photo: next.id } : {}
      void navigate({
        search: { ...addressOf(search), ...shown },
        replace: true,
        resetScroll: false,
        state: (state) => state,
      })
    }
  }
  const download = (ids: number[]) => {
    if (ids.length > idsOfAZip) setAsked({ kind: 'download', ids })
    else void saveZip(event.id, { ids: ids.join(',') })
  }
  const openMenu = (photo: Photo, index: number | null, opener: HTMLElement) =>
    setAsked({ kind: 'menu', photo, index, opener })

  const isFiltered = filtersIn(search).length > 0
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
            onManage={may('events.edit') && !event.is_archived ? () => setAsked({ kind: 'categories' }) : null}
          />
          <PhotoTools
            search={search}
            onSearch={onSearch}
            cellPx={cellPx}
            onCellPx={setCellPx}
            hasPhotos={count > 0}
            onSelectAll={selection.chooseAll}
            onDownloadAll={
              may('photos.download') && !event.is_archived ? () => void saveZip(event.id, zipAsk(search)) : null
            }
            onRepair={may('photos.edit') ? () => setAsked({ kind: 'repair' }) : null}
            onKeys={() => setAsked({ kind: 'keys' })}
          />
          <FilterChips search={search} onSearch={onSearch} count={count} total={total} />
        </div>
      )}
      {pages.error !== null && <Failed error={pages.error} onRetry={pages.retry} />}
      {!pages.isLoaded && pages.error === null && <Waiting />}
      {pages.isLoaded && count === 0 && isFiltered && total > 0 && (
        <Empty title={t('noneFound')} text={t('noneFoundText')}>
          <Button onClick={() => onSearch({})}>{t('noFilters')}</Button>
        </Empty>
      )}
      {pages.isLoaded && total === 0 && !mayUpload && <Empty title={t('empty')} text={t('emptyText')} />}
      {pages.isLoaded && count > 0 && (
        <PhotoGrid
          eventId={event.id}
          count={count}
          cellPx={cellPx}
          photoAt={photoAt}
          onSight={setVisibleRange}
          selection={selection}
          reached={reached}
          onReach={reach}
          onOpen={open}
          onMenu={(index, opener) => {
            const photo = photoAt(index)
            setReached({ index, wantsFocus: false })
            if (photo) openMenu(photo, index, opener)
          }}
          onMark={(index, change) => mark(meantBy(index), change)}
          onDelete={(index) => void remove(meantBy(index))}
        />
      )}
      <p className="heard" aria-live="polite">
        {announcement}
      </p>
      <BulkBar
        eventId={event.id}
        ids={selection.ids}
        isArchived={event.is_archived}
        onPlace={(ids) => setAsked({ kind: 'place', ids })}
        onDownload={download}
        onClear={selection.clear}
      />
      {shownId !== null && (
        <ViewerAt
          eventId={event.id}
          photoId={shownId}
          search={search}
          count={count}
          photoAt={photoAt}
          isListLoaded={pages.isLoaded}
          reachedIndex={reached.index}
          mayMark={mayEdit}
          onReach={reach}
          onMark={(id, change) => mark([id], change)}
          onMenu={openMenu}
        />
      )}
      {asked && (
        <PhotoDialogs
          event={event}
          asked={asked}
          isViewed={shownId !== null}
          onAsk={setAsked}
          onOpen={open}
          onDelete={remove}
        />
      )}
    </div>
  )
}

const zipAsk = ({ sort: _, order: __, ...filters }: PhotoSearch): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
