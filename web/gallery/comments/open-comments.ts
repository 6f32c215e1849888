import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handlePreloadFailure, openDialog } from '../parts/open-dialog.tsx'
import { canComment, canWriteNotes } from '../state/page.ts'

const loadComments = loadWhenReachable(() => import('./comments.tsx'))
const loadNotes = loadWhenReachable(() => import('./notes.tsx'))

/** Opens the comments of a photo, or the private notes in a gallery without comments. */
export function openComments(photoId: number): void {
  if (canComment) void openDialog(async () => (await loadComments()).Comments, { photoId })
  else openNotes(photoId)
}

/** Opens the private notes about a photo, or about the whole gallery if `photoId` is null. */
export const openNotes = (photoId: number | null): void =>
  void openDialog(async () => (await loadNotes()).NoteDialog, { photoId })

/** Loads what `openComments` opens, so that it also opens if the connection is lost. */
export function preloadComments(): void {
  const load = canComment ? loadComments : canWriteNotes ? loadNotes : null
  load?.().catch(handlePreloadFailure)
}
