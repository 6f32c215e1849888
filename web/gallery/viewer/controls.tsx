import { getPhotoLabel } from '../grid/tile.tsx'
import { pickKind, t } from '../state/page.ts'
import { counts, getPhoto } from '../state/photos.ts'
import { Control } from './control.tsx'
import { MarkControls } from './mark-controls.tsx'
import { SaveButton } from './save-button.tsx'
import type { ViewerActions } from './viewer-actions.ts'
import { isPlaying, pictureNotes, type ViewerState, viewerState } from './viewer-state.ts'

export function Controls({ actions }: { actions: ViewerActions }) {
  const now = viewerState.value
  if (!now) return null
  const photo = getPhoto(now.photoId).value
  const note = pictureNotes.value.get(now.photoId)
  return (
    <>
      <div class="viewer-bar top">
        <Control icon="close" name={t('close')} onClick={actions.close} />
        <p class="viewer-place">
          <span>{t('placeOf', { number: now.index + 1, total: now.total })}</span>
          {pickKind && <PickCount />}
          <bdi>{photo?.original_filename}</bdi>
        </p>
        <SlideshowButton actions={actions} now={now} />
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
        <Control
          icon="previous"
          name={t('previousPhoto')}
          onClick={actions.previous}
          isDisabled={now.index === 0}
          class="step"
        />
        {photo && <MarkControls photo={photo} actions={actions} />}
        {photo?.allow_download && <SaveButton photo={photo} />}
        <Control
          icon="next"
          name={t('nextPhoto')}
          onClick={actions.next}
          isDisabled={now.index === now.total - 1}
          class="step next"
        />
      </div>
      <p class="heard" aria-live="polite">
        {getPhotoLabel(photo, now.index + 1, now.total)} {photo?.original_filename}
      </p>
    </>
  )
}

/** The viewer covers the picks bar. */
function PickCount() {
  const count = counts.value[pickKind === 'like' ? 'liked' : 'favorited']
  return count > 0 ? <span class="viewer-picks">{t('picks', { count })}</span> : null
}

function SlideshowButton({ actions, now }: { actions: ViewerActions; now: ViewerState }) {
  const name = t(isPlaying.value ? 'pauseSlideshow' : 'playSlideshow')
  const isDisabled = !isPlaying.value && now.index === now.total - 1
  return (
    <Control
      icon={isPlaying.value ? 'pause' : 'play'}
      name={name}
      onClick={actions.slideshow}
      isDisabled={isDisabled}
    />
  )
}
