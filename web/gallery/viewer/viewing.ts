import { signal } from '@preact/signals'
import type { GalleryTextKey } from '../../../texts/gallery-texts.ts'

/** Where the viewer is: the photo in the middle, and its number among those it goes through. */
export type Viewing = { photoId: number; index: number; total: number }

/** Null while the viewer is closed. */
export const viewing = signal<Viewing | null>(null)

/** Whether photos follow one another by themselves. */
export const isPlaying = signal(false)

/** What there is to say of a photo whose picture does not show, by its id. */
export const pictureNotes = signal<ReadonlyMap<number, GalleryTextKey>>(new Map())

export function notePicture(photoId: number, note: GalleryTextKey | null): void {
  if (note === (pictureNotes.peek().get(photoId) ?? null)) return
  const notes = new Map(pictureNotes.peek())
  if (note) notes.set(photoId, note)
  else notes.delete(photoId)
  pictureNotes.value = notes
}
