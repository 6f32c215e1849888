import { translator } from '../../app/language.ts'
import type { Photo } from '../model/photo-queries.ts'
import { downloadUrl, thumbnailUrl } from '../model/photo-urls.ts'
import { ViewerPicture } from './viewer-picture.tsx'

const t = translator('photos')

type Props = { eventId: number; photo: Photo; isZoomed: boolean; onZoom: (isZoomed: boolean) => void }

export const ViewerStage = ({ eventId, photo, isZoomed, onZoom }: Props) => {
  if (photo.processing_status === 'failed') {
    return (
      <p className="viewer-trouble">
        {photo.processing_error} {t('failedText')}
      </p>
    )
  }
  if (photo.media_type === 'image')
    return <ViewerPicture eventId={eventId} photo={photo} isZoomed={isZoomed} onZoom={onZoom} />
  if (photo.processing_status === 'processing') return <p className="viewer-trouble">{t('processingText')}</p>
  return (
    // biome-ignore lint/a11y/useMediaCaption: uploaded videos have no captions
    <video
      className="viewer-video"
      src={downloadUrl(eventId, photo)}
      poster={photo.thumbhash ? thumbnailUrl(eventId, photo) : undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={photo.source_filename}
    />
  )
}
