import { giveMark, isPicked } from '../marks/give-mark.ts'
import { isCovered, openOver } from '../parts/open-over.tsx'
import { canColor, mayRate } from '../state/page.ts'
import { photoOf } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { actionOf, type MarkAction, takesKey, type ViewerAction } from './shortcut-table.ts'

export type KeyTaker = { photoId: () => number | null; actions: Record<ViewerAction, () => void> }

let viewer: KeyTaker | null = null

export function giveKeysTo(taker: KeyTaker | null): void {
  viewer = taker
}

/** Handles the shortcuts in the open viewer, else for the focused photo of the grid. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isCovered()) return
    const at = event.target instanceof HTMLElement ? event.target : document.body
    if (takesKey({ tagName: at.tagName, isEditable: at.isContentEditable }, event.key)) return
    const action = actionOf(event, areShortcutsOn.peek())
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

export const openHelp = (): Promise<void> => openOver(async () => (await import('../help/help.tsx')).Help, {})

function mark(photoId: number, action: MarkAction): void {
  const photo = photoOf(photoId).peek()
  if (!photo) return
  if (action === 'pick') void giveMark(photoId, { kind: 'pick', isPicked: !isPicked(photo) })
  else if ('rating' in action) mayRate && void giveMark(photoId, { kind: 'rating', rating: action.rating })
  else if (canColor) {
    // The same color again clears it.
    const color = photo.my_color_label === action.color ? null : action.color
    void giveMark(photoId, { kind: 'color', color })
  }
}

function focusedPhoto(): number | null {
  const link = document.activeElement?.closest('.tile')?.querySelector<HTMLElement>('[data-photo]')
  return link ? Number(link.dataset.photo) : null
}
