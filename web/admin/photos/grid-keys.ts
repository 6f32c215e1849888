import type { KeyboardEvent } from 'react'
import { movedBy } from './grid-moves.ts'
import { markOfKey } from './mark-keys.ts'
import type { PhotoGridProps } from './photo-grid.tsx'

type Place = Parameters<typeof movedBy>[2]

export function actionOf(event: KeyboardEvent<HTMLElement>, place: Place, props: PhotoGridProps): (() => void) | null {
  const { at } = place
  const { selection, onReach, onOpen, onMenu, onMark, onDelete } = props
  const { key, shiftKey } = event
  const isControl = event.ctrlKey || event.metaKey
  const to = event.altKey ? null : movedBy(key, isControl, place)
  if (to !== null) {
    return () => {
      onReach(to, true)
      if (shiftKey) void selection.reachTo(to, { from: at })
    }
  }
  if (isControl && key.toLowerCase() === 'a') return () => void selection.chooseAll()
  if (key === 'Escape' && selection.ids.size > 0) return selection.clear
  if (key === 'Enter') return () => onOpen(at)
  if (key === ' ') return () => (shiftKey ? void selection.reachTo(at) : selection.toggle(at))
  if (key === 'Delete' || (key === 'Backspace' && event.metaKey)) return () => onDelete(at)
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return () => onMenu(at, event.target as HTMLElement)
  const mark = shiftKey ? null : markOfKey(event)
  return mark && (() => onMark(at, mark))
}
