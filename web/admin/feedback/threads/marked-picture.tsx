import { useState } from 'react'
import { type PictureMark, PictureMarks } from '../../photos/viewer/picture-marks.tsx'

type Props = {
  eventId: number
  photoId: number
  marks: readonly PictureMark[]
  width: 640 | 1280
  alt?: string
  isLazy?: boolean
}

/** Shows the thumbnail if the preview cannot be loaded, such as while it is being created. */
export function MarkedPicture({ eventId, photoId, marks, width, alt = '', isLazy = false }: Props) {
  const [hasFailed, setFailed] = useState(false)
  const base = `/api/admin/photos/${eventId}`
  return (
    <span className="marked-picture">
      <img
        src={hasFailed ? `${base}/thumbnail/${photoId}` : `${base}/preview/${photoId}?w=${width}`}
        alt={alt}
        loading={isLazy ? 'lazy' : 'eager'}
        decoding={isLazy ? 'async' : 'sync'}
        onError={() => setFailed(true)}
      />
      <PictureMarks marks={marks} />
    </span>
  )
}
