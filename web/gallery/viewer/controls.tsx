import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { colorLabels } from '../../../contract/marks.ts'
import { readStored, writeStored } from '../../shared/browser-storage.ts'
import { getDownloadUrl } from '../download/share-files.ts'
import { getPhotoLabel } from '../grid/tile.tsx'
import { isPicked, togglePick } from '../marks/apply-mark.ts'
import { ColorButton, ColorDot, StarButton } from '../marks/mark-buttons.tsx'
import { AnyIcon, type AnyIconName } from '../parts/any-icon.tsx'
import {
  canAnnotate,
  canColor,
  canComment,
  canRate,
  canWriteNotes,
  page,
  pickFilter,
  pickKind,
  t,
} from '../state/page.ts'
import { counts, getPhoto } from '../state/photos.ts'
import { getThreads } from '../threads/photo-threads.ts'
import { versionParts } from './photo-versions.tsx'
import { SaveButton } from './save-button.tsx'
import type { ViewerActions } from './viewer-actions.ts'
import { isDrawing, isPlaying, pictureNotes, viewerState } from './viewer-state.ts'

export function Controls({ actions }: { actions: ViewerActions }) {
  const now = viewerState.value
  if (!now) return null
  const photo = getPhoto(now.photoId).value
  const isLast = now.index === now.total - 1
  const note = pictureNotes.value.get(now.photoId)
  const versions = versionParts.value
  return (
    <>
      <div class="viewer-bar top">
        <Control icon="close" name={t('close')} onClick={actions.close} />
        <p class="viewer-place">
          <span>{t('placeOf', { number: now.index + 1, total: now.total })}</span>
          {pickKind && <PickCount />}
          <bdi>{photo?.original_filename}</bdi>
          {photo?.allow_original_download && (
            <a href={`${getDownloadUrl(photo.id)}?original=true`} download>
              {t('saveOriginal')}
            </a>
          )}
        </p>
        {canAnnotate && photo?.media_type === 'image' && photo.width && (
          <Control
            icon="pencil"
            name={t('markAdd')}
            word={t('markShort')}
            isPressed={isDrawing.value}
            class={hasDrawn.value ? 'known' : ''}
            onClick={toggleDrawing}
          />
        )}
        <SlideshowButton onClick={actions.slideshow} isLast={isLast} />
        <Control icon="compare" name={t('compare')} onClick={actions.compare} isDisabled={now.total < 2} />
        {document.fullscreenEnabled && (
          <Control icon="full" name={t('fullScreen')} onClick={actions.fullScreen} class="hovering" />
        )}
        <Control icon="keyboard" name={t('keyHelp')} onClick={actions.help} class="hovering" />
      </div>
      <p class="viewer-note" role="status">
        {note && t(note)}
      </p>
      <div class="viewer-bar bottom">
        {versions && photo && !isPlaying.value && <versions.VersionRow key={photo.id} photo={photo} />}
        <Control
          icon="previous"
          name={t('previousPhoto')}
          onClick={actions.previous}
          isDisabled={now.index === 0}
          class="step"
        />
        {photo && <MarkControls photo={photo} actions={actions} />}
        {photo?.allow_download && <SaveButton photo={photo} />}
        <Control icon="next" name={t('nextPhoto')} onClick={actions.next} isDisabled={isLast} class="step next" />
      </div>
      <p class="heard" aria-live="polite">
        {getPhotoLabel(photo, now.index + 1, now.total)} {photo?.original_filename}
      </p>
    </>
  )
}

const drawnStorageKey = 'has marked a place'

/** On a phone, the button has a word until the guest has used it. */
const hasDrawn = signal(readStored('localStorage', drawnStorageKey) !== null)

function toggleDrawing(): void {
  hasDrawn.value = true
  writeStored('localStorage', drawnStorageKey, '1')
  isPlaying.value = false
  isDrawing.value = !isDrawing.peek()
}

/** Needed because the viewer covers the picks bar. */
function PickCount() {
  const count = counts.value[pickFilter]
  return count > 0 ? <span class="viewer-picks">{t('picks', { count })}</span> : null
}

function SlideshowButton({ onClick, isLast }: { onClick: () => void; isLast: boolean }) {
  if (isPlaying.value) return <Control icon="pause" name={t('pauseSlideshow')} onClick={onClick} />
  return <Control icon="play" name={t('playSlideshow')} onClick={onClick} isDisabled={isLast} />
}

/** On phones, buttons open the stars and the colors above the bar. Wide windows show them inside the bar. */
function MarkControls({ photo, actions }: { photo: GalleryPhoto; actions: ViewerActions }) {
  const [open, setOpen] = useState<'stars' | 'colors' | null>(null)
  const toggle = (strip: typeof open) => setOpen((now) => (now === strip ? null : strip))
  const { my_rating: rating, my_color_label: color, comment_count: comments } = photo
  // The words of decisions are notes, also where guests write no others.
  const hasWords = page.feedback.keep_versions && Boolean(getThreads(photo.id).value?.length)
  return (
    <>
      {pickKind && (
        <Control
          icon="heart"
          name={t('pick')}
          isPressed={isPicked(photo)}
          class="heart"
          onClick={() => togglePick(photo)}
        />
      )}
      {canRate && (
        <>
          <button
            type="button"
            class="round viewer-button opens"
            aria-expanded={open === 'stars'}
            aria-label={`${t('rating')}: ${rating ? t('stars', { count: rating }) : t('noStars')}`}
            onClick={() => toggle('stars')}
          >
            <AnyIcon name="star" isFilled={rating !== null} />
            {rating !== null && <span class="count">{rating}</span>}
          </button>
          <fieldset class={`viewer-strip${open === 'stars' ? ' open' : ''}`} aria-label={t('rating')}>
            {[1, 2, 3, 4, 5].map((value) => (
              <StarButton key={value} photo={photo} rating={value} class="viewer-button" />
            ))}
          </fieldset>
        </>
      )}
      {canColor && (
        <>
          <button
            type="button"
            class="round viewer-button opens"
            aria-expanded={open === 'colors'}
            aria-label={`${t('colour')}: ${t(color ?? 'noColour')}`}
            onClick={() => toggle('colors')}
          >
            <ColorDot color={color} class="viewer-dot" />
          </button>
          <fieldset class={`viewer-strip${open === 'colors' ? ' open' : ''}`} aria-label={t('colour')}>
            {colorLabels.map((value) => (
              <ColorButton key={value} photo={photo} color={value} class="viewer-button" dotClass="viewer-dot" />
            ))}
          </fieldset>
        </>
      )}
      {(canComment || canWriteNotes || hasWords) && (
        <Control
          icon="comment"
          name={canComment ? `${t('comment')}${comments > 0 ? `: ${comments}` : ''}` : t('noteTitle')}
          count={canComment ? comments : 0}
          onClick={actions.comment}
        />
      )}
    </>
  )
}

type ControlProps = {
  icon: AnyIconName
  name: string
  /** Beside the icon. */
  word?: string
  onClick: () => void
  isPressed?: boolean
  /** A disabled control stays focusable, so that keyboard users do not lose the focus. */
  isDisabled?: boolean
  count?: number
  class?: string
}

function Control({ icon, name, word, onClick, isPressed, isDisabled, count = 0, class: more = '' }: ControlProps) {
  return (
    <button
      type="button"
      class={`round viewer-button${word ? ' worded' : ''} ${more}`}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || onClick()}
    >
      <AnyIcon name={icon} isFilled={isPressed === true} />
      {word && <span>{word}</span>}
      {count > 0 && <span class="count">{count}</span>}
    </button>
  )
}
