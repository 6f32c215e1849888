import './cover-thumbnail.css'
import { useState } from 'react'
import { Icon } from '../components/icon.tsx'

export function CoverThumbnail({ eventId, photoId }: { eventId: number; photoId: number | null }) {
  const [failed, setFailed] = useState<number | null>(null)
  return (
    <span className="events-cover">
      {photoId === null || failed === photoId ? (
        <Icon name="photos" />
      ) : (
        <img
          src={`/api/admin/photos/${eventId}/thumbnail/${photoId}`}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(photoId)}
        />
      )}
    </span>
  )
}
