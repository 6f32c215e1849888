import './marks.css'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { Icon } from '../parts/icon.tsx'
import { t } from '../state/page.ts'

/** Color is never the only sign of a mark. */
export function MarkBadges({ photo }: { photo: GalleryPhoto }) {
  const { my_rating: rating, my_color_label: color, comment_count: comments } = photo
  if (!rating && !color && comments === 0) return null
  return (
    <p class="badges">
      {color && (
        <span class={`dot ${color}`} role="img" aria-label={t(color)}>
          {t(`${color}Short`)}
        </span>
      )}
      {rating && (
        <span class="badge" role="img" aria-label={t('stars', { count: rating })}>
          {rating}
          <Icon name="star" isFilled />
        </span>
      )}
      {comments > 0 && (
        <span class="badge" role="img" aria-label={`${t('comments')}: ${comments}`}>
          {comments}
          <Icon name="comment" />
        </span>
      )}
    </p>
  )
}
