import type { KeyboardEvent } from 'react'
import { type MarkChange, markForKey } from '../marks/mark-keys.ts'
import type { Photo } from '../model/photo-queries.ts'
import { findMoveTarget } from './grid-layout.ts'
import type { useSelection } from './use-selection.ts'

type GridPosition = Parameters<typeof findMoveTarget>[2]

export type GridActions = {
  selection: ReturnType<typeof useSelection>
  onMoveCursor: (index: number, wantsFocus: boolean) => void
  onOpen: (index: number) => void
  onMenu: (index: number, trigger: HTMLElement) => void
  onMark: (index: number, change: MarkChange) => void
  onDelete: (index: number) => void
  /** Null if the photos are not ordered by hand. */
  onMove: ((from: number, insertAt: number) => void) | null
  /** Null if the account may not change photos. */
  onReview: ((photo: Photo, visibility: Photo['visibility']) => void) | null
}

export function findGridAction(
  event: KeyboardEvent<HTMLElement>,
  position: GridPosition,
  actions: GridActions,
): (() => void) | null {
  const { at } = position
  const { selection, onMoveCursor, onOpen, onMenu, onMark, onDelete, onMove } = actions
  const { key, shiftKey } = event
  const isControl = event.ctrlKey || event.metaKey
  const to = findMoveTarget(key, isControl, position)
  if (to !== null && event.altKey) return onMove && (() => onMove(at, to > at ? to + 1 : to))
  if (to !== null) {
    return () => {
      onMoveCursor(to, true)
      if (shiftKey) void selection.selectRangeTo(to, { from: at })
    }
  }
  if (isControl && key.toLowerCase() === 'a') return () => void selection.selectAll()
  if (key === 'Escape' && selection.ids.size > 0) return selection.clear
  if (key === 'Enter') return () => onOpen(at)
  if (key === ' ') return () => (shiftKey ? void selection.selectRangeTo(at) : selection.toggle(at))
  if (key === 'Delete' || (key === 'Backspace' && event.metaKey)) return () => onDelete(at)
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return () => onMenu(at, event.target as HTMLElement)
  const mark = shiftKey ? null : markForKey(event)
  return mark && (() => onMark(at, mark))
}
