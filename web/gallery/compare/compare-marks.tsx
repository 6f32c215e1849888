import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import { colorLabels } from '../../../contract/marks.ts'
import { applyMark, isPicked } from '../marks/apply-mark.ts'
import { Icon } from '../parts/icon.tsx'
import { canColor, canRate, pickKind, t } from '../state/page.ts'

/** The marks of one photo. They are one tab stop; arrow keys move between the buttons. */
export function CompareMarks({ photo, name }: { photo: GalleryPhoto; name: string }) {
  if (pickKind === null && !canRate && !canColor) return null
  const stars = photo.my_rating ?? 0
  return (
    <div class="compare-marks" role="toolbar" aria-label={t('compareMarks', { photo: name })} onKeyDown={moveFocus}>
      {pickKind && (
        <button
          type="button"
          class={`round compare-button heart${isPicked(photo) ? ' on' : ''}`}
          aria-label={t('pickPhoto', { photo: name })}
          aria-pressed={isPicked(photo)}
          onClick={() => applyMark(photo.id, { kind: 'pick', isPicked: !isPicked(photo) })}
        >
          <Icon name="heart" isFilled={isPicked(photo)} />
        </button>
      )}
      {canRate &&
        [1, 2, 3, 4, 5].map((rating) => (
          <button
            key={rating}
            type="button"
            class={`round compare-button star${rating <= stars ? ' on' : ''}`}
            tabIndex={pickKind || rating > 1 ? -1 : 0}
            aria-label={t('stars', { count: rating })}
            aria-pressed={rating === stars}
            onClick={() => applyMark(photo.id, { kind: 'rating', rating: rating === stars ? 0 : rating })}
          >
            <Icon name="star" isFilled={rating <= stars} />
          </button>
        ))}
      {canColor &&
        colorLabels.map((color, index) => {
          const isOn = photo.my_color_label === color
          return (
            <button
              key={color}
              type="button"
              class={`round compare-button${isOn ? ' on' : ''}`}
              tabIndex={pickKind || canRate || index > 0 ? -1 : 0}
              aria-label={t(color)}
              aria-pressed={isOn}
              onClick={() => applyMark(photo.id, { kind: 'color', color: isOn ? null : color })}
            >
              <span class={`dot ${color}`} aria-hidden="true">
                {t(`${color}Short`)}
              </span>
            </button>
          )
        })}
    </div>
  )
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
  const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key]
  if (!step) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(event.target as HTMLButtonElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
  event.stopPropagation()
}
