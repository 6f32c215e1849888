import { signal } from '@preact/signals'
import type { MessageKey } from '../../../locales/catalogs.ts'
import type { Size } from '../../shared/picture/linked-view.ts'

/** Null while the viewer is closed. */
export const viewerState = signal<{ photoId: number; index: number; total: number } | null>(null)

export const isPlaying = signal(false)

/** Whether the guest draws a pin or a box. */
export const isDrawing = signal(false)

/** The size of an earlier version that is shown over the photo, if it has another shape. */
export const shownSize = signal<Size | null>(null)

export const pictureNotes = signal<ReadonlyMap<number, MessageKey<'gallery'>>>(new Map())

export function setPictureNote(photoId: number, note: MessageKey<'gallery'> | null): void {
  if (note === (pictureNotes.peek().get(photoId) ?? null)) return
  const notes = new Map(pictureNotes.peek())
  if (note) notes.set(photoId, note)
  else notes.delete(photoId)
  pictureNotes.value = notes
}
