import { outline } from '../state/photos.ts'
import { spanAt } from './reveal-tile.ts'

/** Photos in sight, and how far below the upper edge of the window each stood. */
let held: Array<{ id: number; top: number }> = []

/** Notes what is in sight, so that it stays there when other photos join. Above the first row everything may move. */
export function holdPlace(): void {
  const list = document.getElementById('grid')
  if (!list || list.getBoundingClientRect().top >= 0) return
  held = [...list.querySelectorAll<HTMLElement>('[data-photo]')].flatMap((tile) => {
    const { top, bottom } = tile.getBoundingClientRect()
    return bottom > 0 && top < innerHeight ? [{ id: Number(tile.dataset.photo), top }] : []
  })
}

/** Has the first of these photos that is still among those shown stand where it stood, once the grid is laid out anew. */
export function returnToPlace(): void {
  const wanted = held
  held = []
  for (const { id, top } of wanted) {
    const index = outline.peek().findIndex((photo) => photo.id === id)
    const span = index < 0 ? null : spanAt(index)
    if (!span) continue
    scrollTo({ top: span.top - top, behavior: 'instant' })
    return
  }
}
