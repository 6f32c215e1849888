import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { handlePreloadFailure, openDialog } from '../parts/open-dialog.tsx'
import { canComment, canWriteNotes } from '../state/page.ts'

const load = loadWhenReachable(() => import('./comments.tsx'))

/** Opens the comments of a photo, or the private notes in a gallery without comments. */
export function openComments(photoId: number): void {
  if (canComment) void openDialog(async () => (await load()).Comments, { photoId })
  else openNotes(photoId)
}

/** Opens the private notes about a photo, or about the whole gallery if `photoId` is null. */
export const openNotes = (photoId: number | null): void =>
  void openDialog(async () => (await load()).NoteDialog, { photoId })

/** Loads what `openComments` opens, so that it also opens if the connection is lost. */
export function preloadComments(): void {
  if (canComment || canWriteNotes) load().catch(handlePreloadFailure)
}
