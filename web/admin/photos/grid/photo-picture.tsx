import { type CSSProperties, useState } from 'react'
import { api } from '../../api/api.ts'
import { Icon } from '../../components/icon.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { thumbHashUrl, thumbnailUrl } from '../model/photo-urls.ts'

type Props = { eventId: number; photo: Photo }

export function PhotoPicture({ eventId, photo }: Props) {
  const [tries, setTries] = useState(0)
  const { width, height, thumbhash } = photo
  const hasPicture = photo.media_type === 'image' || thumbhash !== null
  const ratio = width && height ? width / height : 1.5
  if (!hasPicture || tries > 1) {
    return (
      <span className="photo-none">
        <Icon name={photo.media_type === 'video' ? 'play' : 'photos'} />
      </span>
    )
  }
  return (
    <span className="photo-frame" style={{ '--ratio': ratio } as CSSProperties}>
      {thumbhash && <img src={thumbHashUrl(thumbhash)} alt="" />}
      <img
        key={tries}
        src={`${thumbnailUrl(eventId, photo)}${tries > 0 ? '&again' : ''}`}
        alt=""
        decoding="async"
        draggable={false}
        onError={async () => {
          // The session may have expired. An API call renews it; an image request does not.
          await api
            .GET('/api/admin/photos/{event_id}/photo/{photo_id}', {
              params: { path: { event_id: eventId, photo_id: photo.id } },
              headers: { accept: 'application/json' },
            })
            .catch(() => undefined)
          setTries((before) => before + 1)
        }}
      />
    </span>
  )
}
