import { readStored, writeStored } from '../../../shared/browser-storage.ts'
import './photo-viewer.css'
import * as Dialog from '@radix-ui/react-dialog'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { LoadError, Loading } from '../../components/loaded.tsx'
import { MarkControls } from '../marks/mark-controls.tsx'
import { type MarkChange, markForKey } from '../marks/mark-keys.ts'
import { guestOf } from '../model/photo-labels.ts'
import { type Photo, photoQuery } from '../model/photo-queries.ts'
import type { Version } from '../model/version-queries.ts'
import { PhotoDetails } from './photo-details.tsx'
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
  /** Null if the account may not change photos. */
  onReview: ((photo: Photo, visibility: Photo['visibility']) => void) | null
  onMenu: (photo: Photo, trigger: HTMLElement) => void
  onClose: () => void
}

export function PhotoViewer(props: Props) {
  const { eventId, photoId, index, count, listedPhoto, canMark, onMove, onMark, onMenu, onClose } = props
  const query = useQuery({ ...photoQuery(eventId, photoId), enabled: listedPhoto === null })
  const photo = listedPhoto ?? (query.data?.id === photoId ? query.data : null)
  const [zoomedId, setZoomedId] = useState<number | null>(null)
  const [hasDetails, showDetails] = useDetails()
  const [earlier, setEarlier] = useState<{ photoId: number; version: Version } | null>(null)
  const version = earlier?.photoId === photoId ? earlier.version : null
  const content = useRef<HTMLDivElement>(null)
  const isZoomed = zoomedId === photoId
  const zoom = (on: boolean) => setZoomedId(on ? photoId : null)
  const hasPrevious = index !== null && index > 0
  const hasNext = index !== null && index < count - 1
  const step = (by: 1 | -1) => {
    if (index !== null && (by === 1 ? hasNext : hasPrevious)) onMove(index + by)
  }

  const isReviewing = useRef(false)
  const review =
    props.onReview &&
    ((...decision: Parameters<NonNullable<Props['onReview']>>) => {
      isReviewing.current = true
      props.onReview?.(...decision)
    })

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (['INPUT', 'TEXTAREA', 'SELECT', 'VIDEO'].includes(target.tagName)) return
    if (!content.current?.contains(target)) return
    const mark = canMark && !event.shiftKey ? markForKey(event) : null
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const actions: Record<string, () => void> = {
      ArrowRight: () => step(isRightToLeft ? -1 : 1),
      ArrowLeft: () => step(isRightToLeft ? 1 : -1),
      PageDown: () => step(1),
      PageUp: () => step(-1),
      Home: () => index !== null && onMove(0),
      End: () => index !== null && onMove(count - 1),
      z: () => zoom(!isZoomed),
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
        {/* The overlay prevents the page from scrolling, which hides the scrollbar of the page. */}
        <Dialog.Overlay />
        <Dialog.Content
          ref={content}
          className={`viewer always-dark${hasDetails ? ' with-details' : ''}`}
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
          <ViewerTop
            photo={photo}
            index={index}
            count={count}
            isZoomed={isZoomed}
            hasDetails={hasDetails}
            onZoom={() => zoom(!isZoomed)}
            onDetails={() => showDetails(!hasDetails)}
            onMenu={onMenu}
          />
          <ViewerStage
            eventId={eventId}
            photo={photo}
            version={version}
            hasPrevious={hasPrevious}
            hasNext={hasNext}
            isZoomed={isZoomed}
            onZoom={zoom}
            onStep={step}
            fallback={query.isError ? <LoadError error={query.error} onRetry={() => query.refetch()} /> : <Loading />}
          />
          <div className="viewer-foot">
            {version && (
              <p className="viewer-version">
                <span role="status">{t('version', { number: version.number })}</span>
                <Button onClick={() => setEarlier(null)}>{t('showCurrent')}</Button>
              </p>
            )}
            {photo?.awaits_review && (
              <Review key={photo.id} photo={photo} onReview={review} hasFocus={isReviewing.current} />
            )}
            {photo && canMark && (
              <MarkControls
                rating={photo.my_rating}
                color={photo.my_color_label}
                onMark={(change) => onMark(photo.id, change)}
              />
            )}
          </div>
          {hasDetails && photo && (
            <PhotoDetails
              eventId={eventId}
              photo={photo}
              version={version}
              onVersion={(version) => setEarlier(version && { photoId, version })}
            />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** `hasFocus`: after a decision, so that the focus is on the buttons for the next one. */
const Review = ({ photo, onReview, hasFocus }: { photo: Photo; hasFocus: boolean } & Pick<Props, 'onReview'>) => (
  <div className="viewer-review">
    <span dir="auto" title={t('review_waiting')}>
      {guestOf(photo)}
    </span>
    {onReview && (
      <>
        <Button icon="eye" autoFocus={hasFocus} onClick={() => onReview(photo, 'visible')}>
          {t('show')}
        </Button>
        <Button icon="hidden" onClick={() => onReview(photo, 'hidden')}>
          {t('keepHidden')}
        </Button>
      </>
    )}
  </div>
)

type TopProps = Pick<Props, 'index' | 'count' | 'onMenu'> & {
  photo: Photo | null
  isZoomed: boolean
  hasDetails: boolean
  onZoom: () => void
  onDetails: () => void
}

const ViewerTop = ({ photo, index, count, isZoomed, hasDetails, onZoom, onDetails, onMenu }: TopProps) => (
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
    {photo?.visibility === 'hidden' && !photo.awaits_review && <span className="viewer-hidden">{t('hidden')}</span>}
    <div className="viewer-actions">
      {photo?.media_type === 'image' && (
        <IconButton icon="search" label={t(isZoomed ? 'zoomOut' : 'zoom')} aria-pressed={isZoomed} onClick={onZoom} />
      )}
      <IconButton icon="info" label={t('details')} aria-pressed={hasDetails} onClick={onDetails} />
      {photo && (
        <IconButton icon="more" label={t('more')} onClick={({ currentTarget }) => onMenu(photo, currentTarget)} />
      )}
    </div>
  </div>
)

const detailsKey = 'proofroom-desk-details'
const showDetailsEvent = 'show-photo-details'

/** The browser stores whether the details are shown, for the next visit. */
function useDetails(): [hasDetails: boolean, showDetails: (isShown: boolean) => void] {
  const [hasDetails, setDetails] = useState(() => readStored('localStorage', detailsKey) !== null)
  useEffect(() => {
    const show = () => setDetails(true)
    addEventListener(showDetailsEvent, show)
    return () => removeEventListener(showDetailsEvent, show)
  }, [])
  const showDetails = (isShown: boolean) => {
    setDetails(isShown)
    writeStored('localStorage', detailsKey, isShown ? 'yes' : null)
  }
  return [hasDetails, showDetails]
}

/** Shows the details in the viewer: now if it is open, otherwise when it opens. */
export function showViewerDetails(): void {
  writeStored('localStorage', detailsKey, 'yes')
  dispatchEvent(new Event(showDetailsEvent))
}
