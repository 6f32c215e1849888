import { useState } from 'react'
import { thumbHashUrl } from '../../../shared/thumb-hash-url.ts'
import { Icon } from '../../components/icon.tsx'
import { type Photo, renewSessionForPhoto } from '../model/photo-queries.ts'
import { thumbnailUrl } from '../model/photo-urls.ts'

export function PhotoPicture({ eventId, photo }: { eventId: number; photo: Photo }) {
  const [tries, setTries] = useState(0)
  const { thumbhash } = photo
  const hasPicture = photo.media_type === 'image' || thumbhash !== null
  if (!hasPicture || tries > 1) {
    return (
      <span className="photo-none">
        <Icon name={photo.media_type === 'video' ? 'play' : 'photos'} />
      </span>
    )
  }
  return (
    <span className="photo-frame">
      {thumbhash && <img src={thumbHashUrl(thumbhash)} alt="" />}
      <img
        key={tries}
        src={`${thumbnailUrl(eventId, photo)}${tries > 0 ? '&again' : ''}`}
        alt=""
        decoding="async"
        draggable={false}
        onError={async () => {
          await renewSessionForPhoto(eventId, photo.id)
          setTries((before) => before + 1)
        }}
      />
    </span>
  )
}
