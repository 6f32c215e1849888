import type { KeyboardEvent } from 'react'
import { movedBy } from './grid-moves.ts'
import { type MarkChange, markOfKey } from './mark-keys.ts'
import type { useSelection } from './use-selection.ts'

type Place = Parameters<typeof movedBy>[2]

export type GridActions = {
  selection: ReturnType<typeof useSelection>
  onReach: (index: number, wantsFocus: boolean) => void
  onOpen: (index: number) => void
  onMenu: (index: number, opener: HTMLElement) => void
  onMark: (index: number, change: MarkChange) => void
  onDelete: (index: number) => void
}

export function actionOf(event: KeyboardEvent<HTMLElement>, place: Place, actions: GridActions): (() => void) | null {
  const { at } = place
  const { selection, onReach, onOpen, onMenu, onMark, onDelete } = actions
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
