import { giveMark, isPicked } from '../marks/give-mark.ts'
import { isCovered, openOver } from '../parts/open-over.tsx'
import { mayColour, mayRate } from '../state/page.ts'
import { photoOf } from '../state/photos.ts'
import { areShortcutsOn } from '../state/shortcuts.ts'
import { deedOf, type MarkDeed, takesKey, type ViewerDeed } from './shortcut-table.ts'

/** The viewer while it is open: what is its, and the photo that marks go to. */
export type KeyTaker = { photoId: () => number | null; deeds: Record<ViewerDeed, () => void> }

let viewer: KeyTaker | null = null

export function giveKeysTo(taker: KeyTaker | null): void {
  viewer = taker
}

/** From now on the keys of the table do what it says: in the viewer, else for the photo of the grid that has the focus. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isCovered()) return
    const at = event.target instanceof HTMLElement ? event.target : document.body
    if (takesKey({ tagName: at.tagName, isEditable: at.isContentEditable }, event.key)) return
    const deed = deedOf(event, areShortcutsOn.peek())
    if (deed === null) return
    if (deed === 'help') void openHelp()
    else if (deed === 'pick' || typeof deed === 'object') {
      const photoId = viewer ? viewer.photoId() : focusedPhoto()
      if (photoId === null) return
      mark(photoId, deed)
    } else if (viewer) viewer.deeds[deed]()
    else return
    event.preventDefault()
  })
}

export const openHelp = (): Promise<void> => openOver(async () => (await import('../help/help.tsx')).Help, {})

function mark(photoId: number, deed: MarkDeed): void {
  const photo = photoOf(photoId).peek()
  if (!photo) return
  if (deed === 'pick') void giveMark(photoId, { kind: 'pick', isPicked: !isPicked(photo) })
  else if ('rating' in deed) mayRate && void giveMark(photoId, { kind: 'rating', rating: deed.rating })
  else if (mayColour) {
    // The same colour again takes it back.
    const color = photo.my_color_label === deed.color ? null : deed.color
    void giveMark(photoId, { kind: 'color', color })
  }
}

function focusedPhoto(): number | null {
  const link = document.activeElement?.closest('.tile')?.querySelector<HTMLElement>('[data-photo]')
  return link ? Number(link.dataset.photo) : null
}
