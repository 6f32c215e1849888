import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { applyMark } from '../marks/apply-mark.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'

/** Clicking the current rating clears it. */
export function StarButtons({ photo, isOpen }: { photo: GalleryPhoto; isOpen: boolean }) {
  const given = photo.my_rating ?? 0
  return (
    <fieldset class={`viewer-strip${isOpen ? ' open' : ''}`} aria-label={t('rating')}>
      {[1, 2, 3, 4, 5].map((rating) => (
        <button
          key={rating}
          type="button"
          class={`round viewer-button star${rating <= given ? ' on' : ''}`}
          aria-label={t('stars', { count: rating })}
          aria-pressed={rating === given}
          onClick={() => applyMark(photo.id, { kind: 'rating', rating: rating === given ? 0 : rating })}
        >
          <Icon name="star" isFilled={rating <= given} />
        </button>
      ))}
    </fieldset>
  )
}
