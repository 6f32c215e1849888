import { signal } from '@preact/signals'
import type { NoteBody, OwnNote, OwnNotes } from '../../../contract/gallery/notes.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { createDraft } from './text-draft.ts'

export type PhotoNotes = ReturnType<typeof createPhotoNotes>

/** The own notes about a photo, or about the whole gallery if `photoId` is null. All functions can throw. */
export function createPhotoNotes(photoId: number | null) {
  const notes = signal<OwnNote[]>([])
  const draft = createDraft(`note to studio ${page.slug} ${photoId}`, `note to studio sent ${page.slug} ${photoId}`)

  return {
    notes,
    draft,
    photoId,

    /** A guest has at most 100 notes, which are one page. */
    async load(): Promise<void> {
      const query = photoId === null ? '' : `&photo_id=${photoId}`
      const found = await call<typeof OwnNotes>(`/notes?limit=100${query}`)
      notes.value = photoId === null ? found.notes.filter((note) => note.photo_id === null) : found.notes
    },

    async write(text: string): Promise<void> {
      const body: NoteBody = { text, photo_id: photoId }
      const note = await call<typeof OwnNote>('/notes', { body, headers: { 'idempotency-key': draft.getKey(text) } })
      draft.remove()
      notes.value = [note, ...notes.peek()]
    },

    async remove(id: number): Promise<void> {
      await call(`/notes/${id}`, { method: 'DELETE' })
      notes.value = notes.peek().filter((note) => note.id !== id)
    },
  }
}
