import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { useEvent } from '../../events/event-context.tsx'
import { listPictureMarks, PictureMarks } from './picture-marks.tsx'

/** Draws open pins and boxes. Their numbers link to the To do list. */
export function ViewerMarks({ photoId }: { photoId: number }) {
  const { id: eventId, allow_annotations } = useEvent()
  const { data = [] } = useQuery({
    queryKey: ['feedback', eventId, 'threads', 'photo', photoId] as const,
    queryFn: async ({ signal }) => {
      const query = { photo_id: photoId, state: 'open', order: 'name', limit: 100 } as const
      const params = { path: { event_id: eventId }, query }
      const reply = await unwrap(api.GET('/api/admin/events/{event_id}/threads', { params, signal }))
      return (reply as Schemas['ListThreadsReply']).threads
    },
    enabled: allow_annotations,
  })
  return (
    <PictureMarks marks={listPictureMarks(data)}>
      {({ number, thread: { text } }) => (
        <Link
          className="mark-number"
          to="/events/$eventId/todo"
          params={{ eventId: String(eventId) }}
          search={{ photo: photoId }}
          title={text ?? undefined}
          aria-label={`${number}: ${text ?? ''}`}
          onClick={(event) => event.stopPropagation()}
        >
          {number}
        </Link>
      )}
    </PictureMarks>
  )
}
