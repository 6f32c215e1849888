import './picks.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { translator } from '../desk/language.ts'
import { useEvent } from '../events/event-here.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ExportTools } from './export-tools.tsx'
import { guestNames } from './guest-names.ts'
import { GuestTable } from './guest-table.tsx'
import { LiveLine } from './live-line.tsx'
import { NoPicks } from './no-picks.tsx'
import { choiceIn, chosenAmong, mostPickedFirst, type PicksChoice, type PicksSearch, wantedOf } from './picks-choice.ts'
import { PicksFilter } from './picks-filter.tsx'
import { PicksGrid } from './picks-grid.tsx'
import { askOtherPartsAgain, askPartAgain, type Picks, picksQuery } from './picks-query.ts'
import { describePicks } from './shown-words.ts'
import { inCalm, useLive } from './use-live.ts'

const t = translator('proofing')
const route = getRouteApi('/inside/events/$eventId/picks')
const freshForMs = 4_000

export function PicksPage() {
  const { id: eventId } = useEvent()
  const query = useQuery(picksQuery(eventId))
  const fresh = useFresh(eventId)
  return (
    <div className="picks">
      <LiveLine eventId={eventId} />
      <Loaded query={query}>{(picks) => <Board picks={picks} fresh={fresh} />}</Loaded>
    </div>
  )
}

function Board({ picks, fresh }: { picks: Picks; fresh: ReadonlySet<number> }) {
  const event = useEvent()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { photos, guests } = picks
  const names = useMemo(() => guestNames(guests), [guests])
  const pickers = useMemo(() => guests.filter(({ pick_count }) => pick_count > 0).map(({ id }) => id), [guests])
  const ids = useMemo(() => guests.map(({ id }) => id), [guests])
  const choice = useMemo(() => choiceIn(search, ids), [search, ids])
  const wanted = wantedOf(choice, pickers)
  const chosen = chosenAmong(photos, wanted)
  const isByPicks = search.sort === 'picks'
  const shown = isByPicks ? mostPickedFirst(chosen) : chosen

  const ask = (next: PicksSearch) => navigate({ search: next, replace: true, resetScroll: false })
  const choose = ({ guestIds, way, show }: PicksChoice) =>
    ask({
      ...(guestIds.length > 0 && { by: guestIds.join(',') }),
      ...(guestIds.length > 0 && way !== 'any' && { way }),
      ...(guestIds.length === 0 && show !== 'all' && { show }),
      ...(search.sort && { sort: search.sort }),
    })
  const sortBy = (sort: string | undefined) => {
    const { sort: _, ...others } = search
    ask({ ...others, ...(sort && { sort }) })
  }

  if (guests.length === 0) return <NoPicks event={event} />
  return (
    <>
      <GuestTable guests={guests} names={names} choice={choice} onChoose={choose} />
      <section className="picks-photos" aria-labelledby="picks-shown">
        <div className="picks-head">
          <h2 id="picks-shown">{describePicks(choice, names, chosen.length)}</h2>
          <ExportTools eventId={event.id} wanted={wanted} picks={picks} names={names} />
        </div>
        {photos.length > 0 && (
          <PicksFilter
            photos={photos}
            pickers={pickers}
            choice={choice}
            onChoose={choose}
            isByPicks={isByPicks}
            onSort={(byPicks) => sortBy(byPicks ? 'picks' : undefined)}
          />
        )}
        {photos.length === 0 ? (
          <NoPicks event={event} />
        ) : shown.length === 0 ? (
          <p className="quiet-text">{t('noneShown')}</p>
        ) : (
          <PicksGrid eventId={event.id} photos={shown} names={names} fresh={fresh} />
        )}
      </section>
    </>
  )
}

/** Returns the photos that guests just marked, and refreshes the page after each event. */
function useFresh(eventId: number): ReadonlySet<number> {
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const askSoon = useMemo(() => {
    const ask = async () => {
      await askPartAgain(eventId, 'picks')
      await askOtherPartsAgain(eventId, 'picks')
    }
    return inCalm(ask)
  }, [eventId])
  useLive(eventId, ({ feedback }) => {
    askSoon()
    const ids = feedback.map(({ photo_id }) => photo_id)
    setFresh((before) => new Set([...before, ...ids]))
    setTimeout(() => setFresh((before) => new Set([...before].filter((id) => !ids.includes(id)))), freshForMs)
  })
  return fresh
}
