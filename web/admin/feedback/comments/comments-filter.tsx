import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Chip } from '../../components/chip.tsx'
import { formatNumber } from '../../components/format-time.ts'
import { Icon } from '../../components/icon.tsx'
import { InlineChoice } from '../../components/inline-choice.tsx'
import type { Event } from '../../events/event-context.tsx'
import { useGuestNames } from '../guest-names.ts'
import { type CommentsSearch, commentCountQuery } from './comments-query.ts'

const t = translator('feedback')

type Props = { event: Event; search: CommentsSearch; onSearch: (search: CommentsSearch) => void }

export function CommentsFilter({ event, search, onSearch }: Props) {
  const { status, photo, guest } = search
  const others = { ...(photo && { photo }), ...(guest && { guest }) }
  return (
    <div className="comments-filter">
      <fieldset className="chips">
        <legend className="heard">{t('filter')}</legend>
        {([undefined, 'pending', 'approved', 'hidden'] as const).map((one) => {
          const filters = { ...others, ...(one && { status: one }) }
          return (
            <Chip key={one ?? 'all'} isOn={status === one} onClick={() => onSearch(filters)}>
              {t(`status_${one ?? 'all'}`)}
              <CommentCount eventId={event.id} filters={filters} />
            </Chip>
          )
        })}
        {photo && (
          <button
            type="button"
            className="chip"
            onClick={() => onSearch({ ...(status && { status }), ...(guest && { guest }) })}
          >
            {t('onePhoto')}
            <Icon name="close" />
          </button>
        )}
      </fieldset>
      <GuestChoice
        eventId={event.id}
        guest={guest}
        onGuest={(id) => onSearch({ ...(status && { status }), ...(photo && { photo }), ...(id && { guest: id }) })}
      />
    </div>
  )
}

function CommentCount({ eventId, filters }: { eventId: number; filters: CommentsSearch }) {
  const { data: count } = useQuery({ ...commentCountQuery(eventId, filters), placeholderData: (before) => before })
  return count !== undefined && <span className="chip-count">{formatNumber(count)}</span>
}

type GuestProps = { eventId: number; guest: string | undefined; onGuest: (id: string) => void }

function GuestChoice({ eventId, guest, onGuest }: GuestProps) {
  const { data: guests = [] } = useQuery({
    queryKey: ['feedback', eventId, 'guests'] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { event_id: eventId }, query: { limit: 100 } }
      return (await unwrap(api.GET('/api/admin/events/{event_id}/guests', { params, signal }))).guests
    },
  })
  const writers = guests.filter(({ id, comment_count }) => comment_count > 0 || id === guest)
  const hasChoice = writers.length > 1 || guest !== undefined
  const names = useGuestNames(eventId, hasChoice && writers.some(({ name }) => name === null))
  if (!hasChoice) return null
  return (
    <InlineChoice label={t('guest')} value={guest ?? ''} onChange={onGuest}>
      <option value="">{t('everybody')}</option>
      {writers.map(({ id, name, comment_count: count }) => (
        <option key={id} value={id}>
          {t('writer', { guest: name ?? names.of(id), count })}
        </option>
      ))}
    </InlineChoice>
  )
}
