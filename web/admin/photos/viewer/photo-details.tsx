import './photo-details.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { formatSize } from '../../../shared/format-units.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { colorName } from '../../app/color-name.ts'
import { language, translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { formatCaptureTime, formatNumber, formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Badge } from '../../components/page.tsx'
import { useEvent } from '../../events/event-context.tsx'
import { eventCategoriesQuery } from '../../events/event-queries.ts'
import { ColorDot } from '../marks/color-dot.tsx'
import { formatExposure } from '../model/format-exposure.ts'
import type { Photo } from '../model/photo-queries.ts'
import type { ShownVersion } from '../model/version-queries.ts'
import { EarlierFiles } from './earlier-files.tsx'

const VersionList = lazy(async () => ({ default: (await import('./version-list.tsx')).VersionList }))

const t = translator('photos')

const maxFeedback = 100

function CategoryName({ eventId, photo }: { eventId: number; photo: Photo }) {
  const { data: categories = [] } = useQuery(eventCategoriesQuery(eventId))
  const name = categories.find(({ id }) => id === photo.category_id)?.name ?? photo.category
  return <span dir="auto">{name ?? (photo.type ? t(photo.type) : t('uncategorized'))}</span>
}

type Props = ShownVersion & { eventId: number; photo: Photo }

export const PhotoDetails = ({ eventId, photo, ...shown }: Props) => (
  <aside className="photo-details" aria-label={t('details')}>
    <h2 dir="auto">{photo.source_filename}</h2>
    {photo.processing_status === 'failed' && (
      <p className="wrong" role="alert">
        {photo.processing_error} {t('failedText')}
      </p>
    )}
    <dl>
      {photo.original_filename !== photo.source_filename && (
        <Fact name={t('currentFile')}>
          <span dir="auto">{photo.original_filename}</span>
        </Fact>
      )}
      <Fact name={t('visibility')}>
        {t(`visibility_${photo.visibility}`)} {photo.awaits_review && <Badge tone="warn">{t('review_waiting')}</Badge>}
      </Fact>
      <Fact name={t('category')}>
        <CategoryName eventId={eventId} photo={photo} />
        {photo.auto_categorized && <> ({t('automatic')})</>}
      </Fact>
      {photo.width !== null && photo.height !== null && (
        <Fact name={t(isRaw(photo) ? 'embeddedPicture' : 'pixels')}>
          {formatNumber(photo.width)} × {formatNumber(photo.height)}
        </Fact>
      )}
      <Fact name={t('fileSize')}>
        {formatSize(photo.size_bytes, language)}, {photo.mime_type.replace(/^.*\//, '').toUpperCase()}
      </Fact>
      <Versions eventId={eventId} photo={photo} {...shown} />
      {photo.duration !== null && (
        <Fact name={t('duration')}>{t('seconds', { count: Math.round(photo.duration) })}</Fact>
      )}
      {photo.media_type === 'image' && <Camera eventId={eventId} photo={photo} />}
      {photo.captured_at && <Fact name={t('capturedAt')}>{formatCaptureTime(photo.captured_at)}</Fact>}
      <Fact name={t('uploadedAt')}>
        {formatTime(photo.uploaded_at)}, {t(`by_${photo.uploaded_by}`)}
        {photo.guest_name !== null && <span dir="auto"> ({photo.guest_name})</span>}
      </Fact>
      <ContentHash photo={photo} />
    </dl>
    <h3>{t('fromGuests')}</h3>
    <Feedback eventId={eventId} photo={photo} />
  </aside>
)

const isRaw = ({ mime_type }: Photo): boolean => mime_type.startsWith('image/x-')

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Versions = ({ eventId, photo, ...shown }: Props) =>
  useEvent().keep_versions ? (
    <Suspense>
      <VersionList key={photo.id} eventId={eventId} photo={photo} {...shown} />
    </Suspense>
  ) : (
    <EarlierFiles eventId={eventId} photo={photo} />
  )

/** Only programs need it, so it is shown to accounts that manage webhooks. */
const ContentHash = ({ photo }: { photo: Photo }) =>
  useHasPermission()('settings.edit') && (
    <Fact name={t('hash')}>
      <span className="mono photo-hash">{photo.content_hash}</span>
    </Fact>
  )

function Camera({ eventId, photo }: { eventId: number; photo: Photo }) {
  const { data } = useQuery({
    queryKey: ['photos', eventId, 'camera', photo.id, photo.content_hash],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/photos/{event_id}/photos/{photo_id}/camera', {
          params: { path: { event_id: eventId, photo_id: photo.id } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const exposure = data ? formatExposure(data, language) : ''
  return (
    <>
      {data?.camera && <Fact name={t('camera')}>{data.camera}</Fact>}
      {data?.lens && <Fact name={t('lens')}>{data.lens}</Fact>}
      {exposure && <Fact name={t('exposure')}>{exposure}</Fact>}
    </>
  )
}

function Feedback({ eventId, photo }: { eventId: number; photo: Photo }) {
  const query = useQuery({
    queryKey: ['photos', eventId, 'feedback', photo.id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/admin/feedback/events/{event_id}', {
          params: { path: { event_id: eventId }, query: { photo_id: photo.id, limit: maxFeedback } },
          signal,
        }),
      ),
  })
  return (
    <Loaded query={query}>
      {({ feedback }) =>
        feedback.length === 0 ? (
          <p className="quiet-text">{t('nothingGiven')}</p>
        ) : (
          <ul className="photo-feedback">
            {feedback.map((item) => (
              <li key={item.id}>
                <p>
                  <strong dir="auto">{item.guest_name ?? t('somebody')}</strong> <FeedbackValue item={item} />
                </p>
                {item.comment_text !== null && <blockquote dir="auto">{item.comment_text}</blockquote>}
                <small>
                  {formatRelativeTime(item.updated_at)}
                  {item.status !== 'approved' && <Badge tone="warn">{t(`status_${item.status}`)}</Badge>}
                </small>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function FeedbackValue({ item }: { item: Schemas['ListFeedbackReply']['feedback'][number] }) {
  if (item.color_label) {
    return (
      <>
        <ColorDot color={item.color_label} /> {colorName(item.color_label)}
      </>
    )
  }
  if (item.rating !== null) return t('stars', { count: item.rating })
  return t(`gave_${item.feedback_type}`)
}
