import { signal } from '@preact/signals'
import type { GalleryMessageKey } from '../../../locales/gallery-messages.ts'

/** Null while the viewer is closed. */
export const viewerState = signal<{ photoId: number; index: number; total: number } | null>(null)

export const isPlaying = signal(false)

export const pictureNotes = signal<ReadonlyMap<number, GalleryMessageKey>>(new Map())

export function setPictureNote(photoId: number, note: GalleryMessageKey | null): void {
  if (note === (pictureNotes.peek().get(photoId) ?? null)) return
  const notes = new Map(pictureNotes.peek())
  if (note) notes.set(photoId, note)
  else notes.delete(photoId)
  pictureNotes.value = notes
}
