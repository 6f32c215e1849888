import { useState } from 'preact/hooks'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { applyMark, isPicked } from '../marks/apply-mark.ts'
import { Icon } from '../parts/icon.tsx'
import { canColor, canComment, canRate, pickKind, t } from '../state/page.ts'
import { ColorButtons, ColorDot } from './color-buttons.tsx'
import { Control } from './control.tsx'
import { StarButtons } from './star-buttons.tsx'
import type { ViewerActions } from './viewer-actions.ts'

type Strip = 'stars' | 'colours' | null

/** Stars and colors are strips that a phone opens above the bar. Wide windows show them inside the bar. */
export function MarkControls({ photo, actions }: { photo: GalleryPhoto; actions: ViewerActions }) {
  const [open, setOpen] = useState<Strip>(null)
  const toggle = (strip: Strip) => setOpen((now) => (now === strip ? null : strip))
  const { my_rating: rating, my_color_label: color, comment_count: comments } = photo
  const isOn = isPicked(photo)
  return (
    <>
      {pickKind && (
        <Control
          icon="heart"
          name={t('pick')}
          isPressed={isOn}
          class="heart"
          onClick={() => applyMark(photo.id, { kind: 'pick', isPicked: !isOn })}
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
            <Icon name="star" isFilled={rating !== null} />
            {rating !== null && <span class="count">{rating}</span>}
          </button>
          <StarButtons photo={photo} isOpen={open === 'stars'} />
        </>
      )}
      {canColor && (
        <>
          <button
            type="button"
            class="round viewer-button opens"
            aria-expanded={open === 'colours'}
            aria-label={`${t('colour')}: ${t(color ?? 'noColour')}`}
            onClick={() => toggle('colours')}
          >
            <ColorDot color={color} />
          </button>
          <ColorButtons photo={photo} isOpen={open === 'colours'} />
        </>
      )}
      {canComment && (
        <Control
          icon="comment"
          name={`${t('comment')}${comments > 0 ? `: ${comments}` : ''}`}
          count={comments}
          onClick={actions.comment}
        />
      )}
    </>
  )
}
