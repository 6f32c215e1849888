import { applyMark, ratingMark, toggleColor, togglePick } from '../marks/apply-mark.ts'
import { isDialogOpen, openDialog } from '../parts/open-dialog.tsx'
import { focusPicksBar } from '../selections/focus-picks-bar.ts'
import { canColor, canRate } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { findAction, handlesKeyItself, isMarkAction, type MarkAction, type ViewerAction } from './shortcut-table.ts'

export type ShortcutTarget = { photoId: () => number | null; actions: Record<ViewerAction, () => void> }

let viewer: ShortcutTarget | null = null

export function setShortcutTarget(nextTarget: ShortcutTarget | null): void {
  viewer = nextTarget
}

/**
 * Without an open viewer, only mark shortcuts (for the focused photo of the grid), the one to the picks and the one to
 * the help work.
 */
export function listenToShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isDialogOpen()) return
    const at = event.target instanceof HTMLElement ? event.target : document.body
    if (handlesKeyItself(at, event.key)) return
    const action = findAction(event, areShortcutsOn.peek())
    if (action === null) return
    if (action === 'help') void openHelp()
    else if (action === 'myPicks') {
      if (!viewer) focusPicksBar()
    } else if (isMarkAction(action)) {
      const photoId = viewer ? viewer.photoId() : focusedPhoto()
      if (photoId === null) return
      applyMarkAction(photoId, action)
    } else if (viewer) viewer.actions[action]()
    else return
    event.preventDefault()
  })
}

export const openHelp = (): Promise<void> => openDialog(async () => (await import('./help.tsx')).Help, {})

/** Returns false for a photo that is not loaded. */
export function applyMarkAction(photoId: number, action: MarkAction): boolean {
  const photo = getPhoto(photoId).peek()
  if (!photo) return false
  if (action === 'pick') void togglePick(photo)
  else if ('rating' in action) canRate && void applyMark(photoId, ratingMark(action.rating))
  else if (canColor) void toggleColor(photo, action.color)
  return true
}

function focusedPhoto(): number | null {
  const link = document.activeElement?.closest('.tile')?.querySelector<HTMLElement>('[data-photo]')
  return link ? Number(link.dataset.photo) : null
}
