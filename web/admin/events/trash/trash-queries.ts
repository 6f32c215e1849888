import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { formatSize } from '../../../shared/format-units.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { language, translator } from '../../app/language.ts'
import { formatPhotos } from '../../components/format-photos.ts'

export type TrashedPhoto = Schemas['TrashedPhoto']
export type TrashedEvent = Schemas['TrashedEvent']

const t = translator('trash')

export const requestTrashedPhotos = (eventId: number, page: number, signal: AbortSignal | null = null) => {
  const params = { path: { event_id: eventId }, query: { page, limit: 100 } }
  return unwrap(api.GET('/api/admin/photos/{event_id}/trash', { params, signal }))
}

/** Its key begins with that of the photos of the event, so that each change of them requests it again. */
export const trashedPhotosQuery = (eventId: number, page: number) =>
  queryOptions({
    queryKey: ['photos', eventId, 'trash', page] as const,
    queryFn: ({ signal }) => requestTrashedPhotos(eventId, page, signal),
    placeholderData: keepPreviousData,
  })

/** Its key begins with that of the events, so that each change of them requests it again. */
export const trashedEventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['events', 'trash', page] as const,
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/trashed-events', { params: { query: { page } }, signal })),
    placeholderData: keepPreviousData,
  })

const dayMs = 86_400_000

/** Returns text such as "12 days left". */
export function formatDaysLeft(deletesAt: string, now = Date.now()): string {
  return t('daysLeft', { count: Math.max(0, Math.ceil((Date.parse(deletesAt) - now) / dayMs)) })
}

type Total = Pick<TrashedEvent, 'photo_count' | 'video_count' | 'total_size'>

/** Returns text such as "12 photos and 1 video · 84 MB". */
export const formatTotal = (total: Total): string =>
  `${formatPhotos(total)} · ${formatSize(total.total_size, language)}`
