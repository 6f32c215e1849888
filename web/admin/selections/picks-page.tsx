import './picks.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { formatList } from '../components/format-list.ts'
import { formatPhotos } from '../components/format-photos.ts'
import { Loaded } from '../components/loaded.tsx'
import { useEventAction } from '../events/actions/event-actions.tsx'
import { useCanChange, useEvent } from '../events/event-context.tsx'
import { ExportTools } from '../feedback/exports/export-tools.tsx'
import { createGuestNames, type GuestNames } from '../feedback/guest-names.ts'
import { LiveLine } from '../feedback/live/live-line.tsx'
import { throttle, useLive, useRecentIds } from '../feedback/live/use-live.ts'
import { NoPicks } from '../feedback/no-feedback.tsx'
import {
  createPickFilter,
  filterPicks,
  mostPickedFirst,
  type PicksChoice,
  type PicksSearch,
  parsePicksChoice,
} from '../feedback/picks-choice.ts'
import {
  invalidateOtherParts,
  invalidatePart,
  type PickedPhoto,
  type PickingGuest,
  type Picks,
  picksQuery,
} from '../feedback/picks-query.ts'
import { useOtherSelections } from '../feedback/selections-query.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { GuestTable } from './guest-table.tsx'
import { PicksFilter } from './picks-filter.tsx'
import { PicksGrid } from './picks-grid.tsx'
import { ErasedSelections } from './submitted-selections.tsx'

const Choosers = lazy(async () => ({ default: (await import('./rounds/chooser-table.tsx')).Choosers }))

const t = translator('feedback')
const route = getRouteApi('/inside/events/$eventId/picks')

export function PicksPage() {
  const event = useEvent()
  const { id: eventId, is_archived: isArchived } = event
  const canEdit = useCanChange('photos.edit')
  const runAction = useEventAction()
  const query = useQuery(picksQuery(eventId))
  const recentIds = useRecentPhotos(eventId)
  const [erasing, setErasing] = useState<{ guest: PickingGuest; names: GuestNames } | null>(null)
  return (
    <div className="picks">
      <div className="picks-top">
        {!isArchived && <LiveLine eventId={eventId} />}
        {canEdit && <Button onClick={() => runAction('package', event)}>{t('package')}</Button>}
      </div>
      <Loaded query={query}>
        {(picks) => (
          <PicksBoard
            picks={picks}
            recentIds={recentIds}
            onErase={(guest) => setErasing({ guest, names: createGuestNames(picks.guests) })}
          />
        )}
      </Loaded>
      {/* Here, because it stays open when the last guest is erased. */}
      {erasing && <EraseDialog {...erasing} onClose={() => setErasing(null)} />}
    </div>
  )
}

type BoardProps = { picks: Picks; recentIds: ReadonlySet<number>; onErase: (guest: PickingGuest) => void }

function PicksBoard({ picks, recentIds, onErase }: BoardProps) {
  const event = useEvent()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { photos, guests } = picks
  const names = useMemo(() => createGuestNames(guests), [guests])
  const otherSelections = useOtherSelections(event.id, picks)
  const pickers = useMemo(() => guests.filter(({ pick_count }) => pick_count > 0).map(({ id }) => id), [guests])
  const ids = useMemo(() => guests.map(({ id }) => id), [guests])
  const choice = useMemo(() => parsePicksChoice(search, ids), [search, ids])
  const pickFilter = createPickFilter(choice, pickers)
  const chosen = filterPicks(photos, pickFilter)
  const isByPicks = search.sort === 'picks'
  const shown = isByPicks ? mostPickedFirst(chosen) : chosen

  const changeSearch = (next: PicksSearch) => navigate({ search: next, replace: true, resetScroll: false })
  const choose = ({ guestIds, way, show }: PicksChoice) =>
    changeSearch({
      ...(guestIds.length > 0 && { by: guestIds.join(',') }),
      ...(guestIds.length > 0 && way !== 'any' && { way }),
      ...(guestIds.length === 0 && show !== 'all' && { show }),
      ...(search.sort && { sort: search.sort }),
    })
  const sortByPicks = (byPicks: boolean) => {
    const { sort: _, ...others } = search
    changeSearch({ ...others, ...(byPicks && { sort: 'picks' }) })
  }

  const tableProps = { guests, names, choice, onChoose: choose, onErase }
  const choosers = picks.has_package && (
    <Suspense>
      <Choosers {...tableProps} />
    </Suspense>
  )
  if (guests.length === 0 && picks.erased_selection_count === 0) {
    return (
      <>
        {choosers}
        <NoPicks event={event} />
      </>
    )
  }
  return (
    <>
      <section className="picks-guests" aria-label={t('guests')}>
        {choosers || (guests.length > 0 && <GuestTable {...tableProps} earlier={otherSelections.earlier} />)}
        <ErasedSelections selections={otherSelections.ofErasedGuests} />
      </section>
      <section className="picks-photos" aria-labelledby="picks-shown">
        <div className="picks-head">
          <h2 id="picks-shown">{describePicks(choice, names, formatPicked(chosen))}</h2>
          <ExportTools
            eventId={event.id}
            pickFilter={pickFilter}
            picks={picks}
            otherSelections={otherSelections}
            names={names}
          />
        </div>
        {photos.length > 0 && (
          <PicksFilter
            photos={photos}
            pickers={pickers}
            choice={choice}
            onChoose={choose}
            isByPicks={isByPicks}
            onSort={sortByPicks}
          />
        )}
        {photos.length === 0 ? (
          <NoPicks event={event} />
        ) : shown.length === 0 ? (
          <p className="quiet-text">{t('noneShown')}</p>
        ) : (
          <PicksGrid eventId={event.id} photos={shown} names={names} recentIds={recentIds} />
        )}
      </section>
    </>
  )
}

const formatPicked = (photos: readonly PickedPhoto[]): string =>
  formatPhotos({
    photo_count: photos.length,
    video_count: photos.filter(({ media_type }) => media_type === 'video').length,
  })

/** `photos`: how many photos and videos are shown, in words. */
function describePicks({ guestIds, way, show }: PicksChoice, names: GuestNames, photos: string): string {
  const guests = guestIds.map(names.of)
  if (guests.length === 0)
    return t(({ all: 'shownAll', overlap: 'shownOverlap', everybody: 'shownEverybody' } as const)[show], { photos })
  const all = formatList(guests)
  if (way === 'only') return t('shownOnly', { photos, guests: all })
  if (guests.length === 1) return t('shownOne', { photos, guests: all })
  return way === 'all'
    ? t('shownByAll', { photos, guests: all })
    : t('shownByAny', { photos, guests: formatList(guests, 'or') })
}

/** Returns the ids of photos with new feedback, and refreshes the page after live updates. */
function useRecentPhotos(eventId: number): ReadonlySet<number> {
  const { recentIds, addRecentIds } = useRecentIds()
  const refreshSoon = useMemo(() => {
    const refresh = async () => {
      await invalidatePart(eventId, 'picks')
      await invalidateOtherParts(eventId, 'picks')
    }
    return throttle(refresh)
  }, [eventId])
  useLive(eventId, ({ feedback }) => {
    refreshSoon()
    addRecentIds(feedback.map(({ photo_id }) => photo_id))
  })
  return recentIds
}
