import './photo-details.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sizeWords } from '../../shared/size-words.ts'
import { api, must, type Wire } from '../api/api.ts'
import { language, sayIn } from '../desk/language.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Badge } from '../parts/page.tsx'
import { numberWords, sinceWords, timeWords } from '../parts/time-words.ts'
import { ColorDot } from './color-dot.tsx'
import type { Photo } from './photo-queries.ts'
import { colorWords } from './photo-words.ts'

const say = sayIn('photos')

const maxFeedback = 100

export const PhotoDetails = ({ eventId, photo }: { eventId: number; photo: Photo }) => (
  <aside className="photo-details" aria-label={say('details')}>
    <h2 dir="auto">{photo.source_filename}</h2>
    {photo.processing_status === 'failed' && (
      <p className="wrong" role="alert">
        {photo.processing_error} {say('failedText')}
      </p>
    )}
    <dl>
      {photo.original_filename !== photo.source_filename && (
        <Fact name={say('currentFile')}>
          <span dir="auto">{photo.original_filename}</span>
        </Fact>
      )}
      <Fact name={say('visibility')}>{say(`visibility_${photo.visibility}`)}</Fact>
      <Fact name={say('category')}>
        <span dir="auto">{photo.category ?? (photo.type ? say(photo.type) : say('uncategorized'))}</span>
        {photo.auto_categorized && <> ({say('automatic')})</>}
      </Fact>
      {photo.width !== null && photo.height !== null && (
        <Fact name={say('pixels')}>
          {numberWords(photo.width)} × {numberWords(photo.height)}
        </Fact>
      )}
      <Fact name={say('fileSize')}>
        {sizeWords(photo.size_bytes, language)}, {photo.mime_type.replace(/^.*\//, '').toUpperCase()}
      </Fact>
      {photo.duration !== null && (
        <Fact name={say('duration')}>{say('seconds', { count: Math.round(photo.duration) })}</Fact>
      )}
      {photo.captured_at && <Fact name={say('capturedAt')}>{timeWords(photo.captured_at)}</Fact>}
      <Fact name={say('uploadedAt')}>
        {timeWords(photo.uploaded_at)}, {say(`by_${photo.uploaded_by}`)}
      </Fact>
      <Fact name={say('hash')}>
        <span className="mono photo-hash">{photo.content_hash}</span>
      </Fact>
    </dl>
    <h3>{say('fromGuests')}</h3>
    <Feedback eventId={eventId} photo={photo} />
  </aside>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function Feedback({ eventId, photo }: { eventId: number; photo: Photo }) {
  const query = useQuery({
    queryKey: ['photos', eventId, 'feedback', photo.id],
    queryFn: ({ signal }) =>
      must(
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
          <p className="quiet-text">{say('nothingGiven')}</p>
        ) : (
          <ul className="photo-feedback">
            {feedback.map((given) => (
              <li key={given.id}>
                <p>
                  <strong dir="auto">{given.guest_name ?? say('somebody')}</strong> <Given given={given} />
                </p>
                {given.comment_text !== null && <blockquote dir="auto">{given.comment_text}</blockquote>}
                <small>
                  {sinceWords(given.updated_at)}
                  {given.status !== 'approved' && <Badge tone="warn">{say(`status_${given.status}`)}</Badge>}
                </small>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function Given({ given }: { given: Wire['ListFeedbackReply']['feedback'][number] }) {
  if (given.color_label) {
    return (
      <>
        <ColorDot color={given.color_label} /> {colorWords(given.color_label)}
      </>
    )
  }
  if (given.rating !== null) return say('stars', { count: given.rating })
  return say(`gave_${given.feedback_type}`)
}
