import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { useEvent } from '../../events/event-context.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { type Version, versionsQuery } from '../model/version-queries.ts'
import { listPictureMarks, PictureMarks } from './picture-marks.tsx'

const t = translator('photos')

/** Draws open pins and boxes. Their numbers link to the To do list. */
export function ViewerMarks({ photo, version }: { photo: Photo; version: Version | null }) {
  const { id: photoId } = photo
  const { id: eventId, allow_annotations, keep_versions } = useEvent()
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
  const all = listPictureMarks(data)
  const { data: versions } = useQuery({ ...versionsQuery(eventId, photo), enabled: keep_versions && all.length > 0 })
  const shown = version ?? versions?.find(({ is_current }) => is_current)
  const marks = keep_versions ? all.filter(({ thread }) => fits(versions, thread.version, shown)) : all
  const nameMark = (text: string | null, from: number) =>
    shown && from < shown.number ? `${text ?? ''} (${t('fromVersion', { number: from })})` : (text ?? '')
  return (
    <PictureMarks marks={marks}>
      {({ number, thread: { text, version: from } }) => (
        <Link
          className="mark-number"
          to="/events/$eventId/todo"
          params={{ eventId: String(eventId) }}
          search={{ photo: photoId }}
          title={nameMark(text, from)}
          aria-label={`${number}: ${nameMark(text, from)}`}
          onClick={(event) => event.stopPropagation()}
        >
          {number}
        </Link>
      )}
    </PictureMarks>
  )
}

/** Returns whether marks of a version are shown on `shown`: those of the same version, and of earlier ones of equal shape. */
function fits(versions: readonly Version[] = [], number: number, shown: Version | undefined): boolean {
  const own = versions.find((one) => one.number === number)
  if (!shown || !own || number > shown.number) return false
  return number === shown.number || Math.abs(getRatio(own) / getRatio(shown) - 1) <= maxRatioDifference
}

const maxRatioDifference = 0.005
const getRatio = ({ width, height }: Version) => (width ?? 0) / (height ?? 0)
