import { applyMark, isPicked } from '../marks/apply-mark.ts'
import { isDialogOpen, openDialog } from '../parts/open-dialog.tsx'
import { canColor, canRate } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { findAction, handlesKeyItself, type MarkAction, type ViewerAction } from './shortcut-table.ts'

export type ShortcutTarget = { photoId: () => number | null; actions: Record<ViewerAction, () => void> }

let viewer: ShortcutTarget | null = null

export function setShortcutTarget(nextTarget: ShortcutTarget | null): void {
  viewer = nextTarget
}

/** Handles the shortcuts in the open viewer, else for the focused photo of the grid. */
export function listenToShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isDialogOpen()) return
    const at = event.target instanceof HTMLElement ? event.target : document.body
    if (handlesKeyItself({ tagName: at.tagName, isEditable: at.isContentEditable }, event.key)) return
    const action = findAction(event, areShortcutsOn.peek())
    if (action === null) return
    if (action === 'help') void openHelp()
    else if (action === 'pick' || typeof action === 'object') {
      const photoId = viewer ? viewer.photoId() : focusedPhoto()
      if (photoId === null) return
      mark(photoId, action)
    } else if (viewer) viewer.actions[action]()
    else return
    event.preventDefault()
  })
}

export const openHelp = (): Promise<void> => openDialog(async () => (await import('../help/help.tsx')).Help, {})

function mark(photoId: number, action: MarkAction): void {
  const photo = getPhoto(photoId).peek()
  if (!photo) return
  if (action === 'pick') void applyMark(photoId, { kind: 'pick', isPicked: !isPicked(photo) })
  else if ('rating' in action) canRate && void applyMark(photoId, { kind: 'rating', rating: action.rating })
  else if (canColor) {
    // The same color again clears it.
    const color = photo.my_color_label === action.color ? null : action.color
    void applyMark(photoId, { kind: 'color', color })
  }
}

function focusedPhoto(): number | null {
  const link = document.activeElement?.closest('.tile')?.querySelector<HTMLElement>('[data-photo]')
  return link ? Number(link.dataset.photo) : null
}
