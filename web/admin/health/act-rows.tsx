import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ColorLabel } from '../../../contract/color-labels.ts'
import { api, type Schemas, unwrap } from '../api/api.ts'
import { colorName } from '../app/color-name.ts'
import { translator } from '../app/language.ts'
import { formatTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { Pagination } from '../components/pagination.tsx'
import type { ActGroup } from './activity-search.ts'

const t = translator('health')

type Row = Schemas['ActRow']

/** The single acts of an entry. */
export function ActRows({ act, by }: { act: Schemas['Act']; by: ActGroup }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    queryKey: ['activity', 'acts', act.id, by, page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/activity/acts/{act_id}', {
          params: { path: { act_id: act.id }, query: { by, page, limit: 20 } },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  })
  return (
    <Loaded query={query}>
      {({ rows, pagination }) => (
        <>
          {rows.length === 0 && <p className="quiet-text">{t('noActRows')}</p>}
          <ul className="act-rows">
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and a page replaces all of them
              <li key={index}>
                <Photo row={row} eventId={act.event?.id} />
                <Detail row={row} act={act.act} by={by} />
                <time dateTime={row.at}>{formatTime(row.at)}</time>
              </li>
            ))}
          </ul>
          <Pagination page={pagination.page} pages={pagination.pages} onPage={setPage} />
        </>
      )}
    </Loaded>
  )
}

function Photo({ row: { photo }, eventId }: { row: Row; eventId: number | undefined }) {
  if (!photo || eventId === undefined) return null
  return (
    <Link
      className="act-photo"
      to="/events/$eventId"
      params={{ eventId: String(eventId) }}
      search={{ photo: photo.id }}
      preload={false}
    >
      <img src={`/api/admin/photos/${eventId}/thumbnail/${photo.id}`} alt="" loading="lazy" decoding="async" />
      <bdi>{photo.original_filename}</bdi>
    </Link>
  )
}

function Detail({ row: { count, detail, via, address }, act, by }: { row: Row; act: string; by: ActGroup }) {
  const parts = [
    act === 'rating' && detail !== null ? t('stars', { count: Number(detail) }) : null,
    act === 'color_label' && detail !== null ? colorName(detail as ColorLabel) : null,
    act === 'selection' ? t('guestAct_favorite', { count }) : null,
    by === 'accounts' && count > 1 ? t('times', { count }) : null,
    via === null ? null : t(`via_${via as 'session'}`),
    address,
  ].filter((part) => part !== null)
  const isText = detail !== null && act !== 'rating' && act !== 'color_label'
  return (
    <span className="act-detail">
      {parts.join(' · ')}
      {isText && <q dir="auto">{detail}</q>}
    </span>
  )
}
