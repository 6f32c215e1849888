import type { NoteBody, OwnNote } from '../../../contract/gallery/notes.ts'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { loadThreads } from '../threads/photo-threads.ts'
import { createDraft } from '../threads/text-draft.ts'

export type PhotoNotes = ReturnType<typeof createPhotoNotes>

/** The own notes about a photo, or about the whole gallery if `photoId` is null. All functions can throw. */
export function createPhotoNotes(photoId: number | null) {
  const draft = createDraft(`note to studio ${page.slug} ${photoId}`, `note to studio sent ${page.slug} ${photoId}`)

  return {
    draft,
    photoId,

    async write(text: string): Promise<void> {
      const body: NoteBody = { text, photo_id: photoId }
      await call<typeof OwnNote>('/notes', { body, headers: { 'idempotency-key': draft.getKey(text) } })
      draft.remove()
    },

    async remove({ id }: GuestThread): Promise<void> {
      await call(`/notes/${id}`, { method: 'DELETE' })
      await loadThreads(photoId)
    },
  }
}
