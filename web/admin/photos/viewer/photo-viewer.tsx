import './photo-viewer.css'
import * as Dialog from '@radix-ui/react-dialog'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { IconButton } from '../../components/button.tsx'
import { LoadError, Loading } from '../../components/loaded.tsx'
import { MarkControls } from '../marks/mark-controls.tsx'
import { type MarkChange, markForKey } from '../marks/mark-keys.ts'
import { type Photo, photoQuery } from '../model/photo-queries.ts'
import { PhotoDetails } from './photo-details.tsx'
import { useSwipe } from './use-swipe.ts'
import { ViewerStage } from './viewer-stage.tsx'

const t = translator('photos')

type Props = {
  eventId: number
  photoId: number
  /** Null while the position in the list is unknown, or if the photo is not in the list. */
  index: number | null
  count: number
  listedPhoto: Photo | null
  canMark: boolean
  onMove: (index: number) => void
  onMark: (id: number, change: MarkChange) => void
  onMenu: (photo: Photo, trigger: HTMLElement) => void
  onClose: () => void
}

const detailsKey = 'proofroom-desk-details'

export function PhotoViewer(props: Props) {
  const { eventId, photoId, index, count, listedPhoto, canMark, onMove, onMark, onClose } = props
  const query = useQuery({ ...photoQuery(eventId, photoId), enabled: listedPhoto === null })
  const photo = listedPhoto ?? (query.data?.id === photoId ? query.data : null)
  const [zoomedId, setZoomedId] = useState<number | null>(null)
  const [hasDetails, setDetails] = useState(() => localStorage.getItem(detailsKey) !== null)
  const content = useRef<HTMLDivElement>(null)
  const isZoomed = zoomedId === photoId
  const showDetails = (wanted: boolean) => {
    setDetails(wanted)
    if (wanted) localStorage.setItem(detailsKey, 'yes')
    else localStorage.removeItem(detailsKey)
  }
  useEffect(() => {
    const show = () => setDetails(true)
    addEventListener(showDetailsEvent, show)
    return () => removeEventListener(showDetailsEvent, show)
  }, [])

  const step = (by: number) => {
    if (index !== null && index + by >= 0 && index + by < count) onMove(index + by)
  }
  const swipe = useSwipe((side) => !isZoomed && step(side))
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (['INPUT', 'TEXTAREA', 'SELECT', 'VIDEO'].includes(target.tagName)) return
    if (!content.current?.contains(target)) return
    const mark = canMark && !event.shiftKey ? markForKey(event) : null
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const side = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const actions: Record<string, () => void> = {
      ArrowRight: () => step(side),
      ArrowLeft: () => step(-side),
      PageDown: () => step(1),
      PageUp: () => step(-1),
      Home: () => index !== null && onMove(0),
      End: () => index !== null && onMove(count - 1),
      z: () => setZoomedId(isZoomed ? null : photoId),
      i: () => showDetails(!hasDetails),
    }
    const action =
      mark && photo
        ? () => onMark(photo.id, mark)
        : isPlain && actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        {/* The overlay locks the scroll of the page, which hides its scrollbar. */}
        <Dialog.Overlay />
        <Dialog.Content
          ref={content}
          className={`viewer${hasDetails ? ' with-details' : ''}`}
          aria-describedby={undefined}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            content.current?.focus()
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <div className="viewer-top">
            <Dialog.Close asChild>
              <IconButton icon="close" label={t('closeViewer')} />
            </Dialog.Close>
            <Dialog.Title dir="auto">{photo?.source_filename ?? t('photo')}</Dialog.Title>
            {index !== null && (
              <p role="status">
                <span aria-hidden="true">{t('placeOf', { index: index + 1, count })}</span>
                <span className="heard">
                  {t('placeOf', { index: index + 1, count })}: {photo?.source_filename}
                </span>
              </p>
            )}
            {photo?.visibility === 'hidden' && <span className="viewer-hidden">{t('hidden')}</span>}
            <div className="viewer-actions">
              {photo?.media_type === 'image' && (
                <IconButton
                  icon="search"
                  label={t(isZoomed ? 'zoomOut' : 'zoom')}
                  aria-pressed={isZoomed}
                  onClick={() => setZoomedId(isZoomed ? null : photoId)}
                />
              )}
              <IconButton
                icon="info"
                label={t('details')}
                aria-pressed={hasDetails}
                onClick={() => showDetails(!hasDetails)}
              />
              {photo && (
                <IconButton
                  icon="more"
                  label={t('more')}
                  onClick={({ currentTarget }) => props.onMenu(photo, currentTarget)}
                />
              )}
            </div>
          </div>
          <div className="viewer-stage" {...swipe}>
            {photo ? (
              <ViewerStage
                key={photo.id}
                eventId={eventId}
                photo={photo}
                isZoomed={isZoomed}
                onZoom={(on) => setZoomedId(on ? photo.id : null)}
              />
            ) : query.isError ? (
              <LoadError error={query.error} onRetry={() => query.refetch()} />
            ) : (
              <Loading />
            )}
            {index !== null && index > 0 && !isZoomed && (
              <IconButton
                className="viewer-step before"
                icon="previous"
                label={t('previous')}
                onClick={() => step(-1)}
              />
            )}
            {index !== null && index < count - 1 && !isZoomed && (
              <IconButton className="viewer-step after" icon="next" label={t('next')} onClick={() => step(1)} />
            )}
          </div>
          <div className="viewer-foot">
            {photo && canMark && (
              <MarkControls
                rating={photo.my_rating}
                color={photo.my_color_label}
                onMark={(change) => onMark(photo.id, change)}
              />
            )}
          </div>
          {hasDetails && photo && <PhotoDetails eventId={eventId} photo={photo} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const showDetailsEvent = 'desk-show-details'

/** Shows the details in the viewer, also if it is already open. */
export function showViewerDetails(): void {
  localStorage.setItem(detailsKey, 'yes')
  dispatchEvent(new Event(showDetailsEvent))
}
