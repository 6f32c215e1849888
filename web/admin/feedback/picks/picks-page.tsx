import './picks.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { translator } from '../../app/language.ts'
import { formatList } from '../../components/format-list.ts'
import { Loaded } from '../../components/loaded.tsx'
import { useEvent } from '../../events/event-context.tsx'
import { ExportTools } from '../exports/export-tools.tsx'
import { createGuestNames, type GuestNames } from '../guest-names.ts'
import { LiveLine } from '../live/live-line.tsx'
import { throttle, useLive, useRecentIds } from '../live/use-live.ts'
import { NoPicks } from '../no-feedback.tsx'
import {
  createPickFilter,
  filterPicks,
  mostPickedFirst,
  type PicksChoice,
  type PicksSearch,
  parsePicksChoice,
} from '../picks-choice.ts'
import { invalidateOtherParts, invalidatePart, type Picks, picksQuery } from '../picks-query.ts'
import { GuestTable } from './guest-table.tsx'
import { PicksFilter } from './picks-filter.tsx'
import { PicksGrid } from './picks-grid.tsx'

const t = translator('feedback')
const route = getRouteApi('/inside/events/$eventId/picks')

export function PicksPage() {
  const { id: eventId } = useEvent()
  const query = useQuery(picksQuery(eventId))
  const recentIds = useRecentPhotos(eventId)
  return (
    <div className="picks">
      <LiveLine eventId={eventId} />
      <Loaded query={query}>{(picks) => <PicksBoard picks={picks} recentIds={recentIds} />}</Loaded>
    </div>
  )
}

function PicksBoard({ picks, recentIds }: { picks: Picks; recentIds: ReadonlySet<number> }) {
  const event = useEvent()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { photos, guests } = picks
  const names = useMemo(() => createGuestNames(guests), [guests])
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

  if (guests.length === 0) return <NoPicks event={event} />
  return (
    <>
      <GuestTable guests={guests} names={names} choice={choice} onChoose={choose} />
      <section className="picks-photos" aria-labelledby="picks-shown">
        <div className="picks-head">
          <h2 id="picks-shown">{describePicks(choice, names, chosen.length)}</h2>
          <ExportTools eventId={event.id} pickFilter={pickFilter} picks={picks} names={names} />
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

function describePicks({ guestIds, way, show }: PicksChoice, names: GuestNames, count: number): string {
  const guests = guestIds.map(names.of)
  if (guests.length === 0)
    return t(({ all: 'shownAll', overlap: 'shownOverlap', everybody: 'shownEverybody' } as const)[show], { count })
  const all = formatList(guests)
  if (way === 'only') return t('shownOnly', { count, guests: all })
  if (guests.length === 1) return t('shownOne', { count, guests: all })
  return way === 'all'
    ? t('shownByAll', { count, guests: all })
    : t('shownByAny', { count, guests: formatList(guests, 'or') })
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
