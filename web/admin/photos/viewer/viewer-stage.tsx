import { type ReactNode, type TouchEvent, useRef } from 'react'
import { translator } from '../../app/language.ts'
import { IconButton } from '../../components/button.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { downloadUrl, thumbnailUrl } from '../model/photo-urls.ts'
import { type PictureProps, ViewerPicture } from './viewer-picture.tsx'

const t = translator('photos')

const minSwipePx = 60

type Props = PictureProps & {
  eventId: number
  photo: Photo | null
  hasPrevious: boolean
  hasNext: boolean
  onStep: (by: 1 | -1) => void
  fallback: ReactNode
}

export function ViewerStage({ eventId, photo, hasPrevious, hasNext, onStep, fallback, ...picture }: Props) {
  const swipe = useSwipe((by) => !picture.isZoomed && onStep(by))
  const key = `${photo?.id} ${picture.version?.number}`
  return (
    <div className="viewer-stage" {...swipe}>
      {photo ? <Media key={key} eventId={eventId} photo={photo} {...picture} /> : fallback}
      {hasPrevious && !picture.isZoomed && (
        <IconButton className="viewer-step before" icon="previous" label={t('previous')} onClick={() => onStep(-1)} />
      )}
      {hasNext && !picture.isZoomed && (
        <IconButton className="viewer-step after" icon="next" label={t('next')} onClick={() => onStep(1)} />
      )}
    </div>
  )
}

function Media({ eventId, photo, ...picture }: PictureProps & { eventId: number; photo: Photo }) {
  if (photo.processing_status === 'failed') {
    return (
      <p className="viewer-trouble">
        {photo.processing_error} {t('failedText')}
      </p>
    )
  }
  if (photo.media_type === 'image') return <ViewerPicture eventId={eventId} photo={photo} {...picture} />
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

/**
 * Calls `onSwipe` with 1 for the next and -1 for the previous photo. Ignores touches with several fingers, on a video,
 * or while the page is zoomed.
 */
function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0]
      const isSingleTouch = touches.length === 1 && !(target instanceof HTMLVideoElement) && visualViewport?.scale === 1
      start.current = touch && isSingleTouch ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches, currentTarget }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!start.current || !touch) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      start.current = null
      if (Math.abs(x) < minSwipePx || Math.abs(x) < 2 * Math.abs(y)) return
      const isRightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
      onSwipe(x < 0 === isRightToLeft ? -1 : 1)
    },
  }
}
