import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { toPicturePixels, toPicturePoint } from '../../../shared/picture/picture-points.ts'
import { thumbHashUrl } from '../../../shared/thumb-hash-url.ts'
import { translator } from '../../app/language.ts'
import { accessibleName } from '../model/photo-labels.ts'
import { type Photo, renewSessionForPhoto } from '../model/photo-queries.ts'
import { originalUrl, previewUrl, thumbnailUrl } from '../model/photo-urls.ts'
import type { Version } from '../model/version-queries.ts'
import { ViewerMarks } from './viewer-marks.tsx'

const t = translator('photos')

const maxTries = 6
/** About the time that the server needs to create a rendition. */
const retryDelayMs = 2_000

/** `version`: an earlier one, to show in place of the current one. */
export type PictureProps = { version: Version | null; isZoomed: boolean; onZoom: (isZoomed: boolean) => void }

type Props = PictureProps & { eventId: number; photo: Photo }

/** Shows the whole photo, or one photo pixel per screen pixel when zoomed. */
export function ViewerPicture({ eventId, photo, version, isZoomed, onZoom }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const at = useRef({ x: 0.5, y: 0.5 })
  const [tries, setTries] = useState(0)
  const preview = previewUrl(eventId, version ? { ...version, id: photo.id } : photo)
  const { width, height } = version ?? photo
  const ratio = width && height ? width / height : 1.5
  const canZoom = width !== null && height !== null

  // After zooming in, scrolls the clicked point to the center.
  useLayoutEffect(() => {
    const { current: box } = frame
    if (!box || !isZoomed) return
    const { left, top } = toPicturePixels(at.current, { width: box.scrollWidth, height: box.scrollHeight })
    box.scrollLeft = left - box.clientWidth / 2
    box.scrollTop = top - box.clientHeight / 2
  }, [isZoomed])

  useEffect(() => {
    if (tries > 0 && tries <= maxTries) void renewSessionForPhoto(eventId, photo.id)
  }, [tries, eventId, photo.id])

  const moved = useRef(false)
  const onPointerDown = (event: React.PointerEvent<HTMLElement>) => {
    moved.current = false
    const { current: box } = frame
    if (!box || !isZoomed || event.pointerType === 'touch' || event.button !== 0) return
    const start = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop }
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(start.x - clientX - box.scrollLeft, start.y - clientY - box.scrollTop) > 3) moved.current = true
      box.scrollLeft = start.x - clientX
      box.scrollTop = start.y - clientY
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true })
  }
  const onClick = (event: React.MouseEvent<HTMLElement>) => {
    if (moved.current || !canZoom) return
    at.current = toPicturePoint(event.currentTarget.getBoundingClientRect(), event)
    onZoom(!isZoomed)
  }

  if (tries > maxTries) return <p className="viewer-trouble">{t('pictureTrouble')}</p>
  return (
    <div
      ref={frame}
      className={`viewer-frame${isZoomed ? ' zoomed' : ''}`}
      style={{ '--ratio': ratio } as React.CSSProperties}
      onPointerDown={onPointerDown}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the viewer handles the Z key */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for pointers; a button does the same */}
      <div
        className="viewer-sheet"
        style={isZoomed && canZoom ? { width: width / devicePixelRatio, height: height / devicePixelRatio } : undefined}
        onClick={onClick}
      >
        {!version && photo.thumbhash && <img src={thumbHashUrl(photo.thumbhash)} alt="" />}
        {!version && <img src={thumbnailUrl(eventId, photo)} alt="" />}
        <img
          key={`${preview}${tries}`}
          src={tries > 0 ? `${preview}&again=${tries}` : preview}
          alt={accessibleName(photo)}
          draggable={false}
          onError={() => setTimeout(() => setTries((before) => before + 1), tries === 0 ? 0 : retryDelayMs)}
        />
        {isZoomed && !version && (
          <img
            src={originalUrl(eventId, photo)}
            alt=""
            draggable={false}
            onError={({ currentTarget }) => currentTarget.remove()}
          />
        )}
        <ViewerMarks photo={photo} version={version} />
      </div>
    </div>
  )
}
