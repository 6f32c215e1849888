import './cover-thumbnail.css'
import { useState } from 'react'
import { Icon } from '../components/icon.tsx'

export function CoverThumbnail({ eventId, photoId }: { eventId: number; photoId: number | null }) {
  const [failed, setFailed] = useState<number | null>(null)
  const isEmpty = photoId === null || failed === photoId
  return (
    <span className={`events-cover${isEmpty ? ' without-photo' : ''}`}>
      {isEmpty ? (
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
