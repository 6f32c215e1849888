import './selecting.css'
import { watchLongPress } from '../../shared/watch-long-press.ts'
import { page, pickKind } from '../state/page.ts'
import { selected, selectRange, startSelecting, toggleSelected } from '../state/selection.ts'

export const canSelect = page.event.allow_downloads || pickKind !== null

export function handleSelectEvent(event: MouseEvent | KeyboardEvent, id: number): void {
  event.preventDefault()
  if (event.shiftKey) selectRange(id)
  else toggleSelected(id)
}

export function selectOnLongPress(place: HTMLElement): void {
  if (!canSelect) return
  watchLongPress(place, {
    isEnabled: () => selected.peek() === null,
    onLongPress: ({ dataset }) => startSelecting(Number(dataset.photo)),
  })
}
