import { type Signal, signal } from '@preact/signals'
import type { FeedbackBody, FeedbackReply, GuestComment, PhotoFeedback } from '../../../contract/feedback.ts'
import { call } from '../state/api.ts'
import { counts, updatePhoto } from '../state/photos.ts'
import { deleteDraft, getDraftKey } from './draft.ts'

const pageLength = 50

export type PhotoComments = ReturnType<typeof createPhotoComments>

/** All functions of the result throw as `call` does. */
export function createPhotoComments(photoId: number) {
  const path = `/photos/${photoId}/feedback`
  const comments: Signal<GuestComment[] | null> = signal(null)
  const hasMore = signal(false)

  async function loadMore(): Promise<void> {
    // Only full pages are final. The last page is loaded again because it may have new comments.
    const known = comments.peek() ?? []
    const page = Math.floor(known.length / pageLength) + 1
    const { feedback, summary, pagination } = await call<typeof PhotoFeedback>(
      `${path}?page=${page}&limit=${pageLength}`,
    )
    comments.value = [...known.slice(0, (page - 1) * pageLength), ...feedback]
    hasMore.value = page < pagination.pages
    updatePhoto(photoId, () => ({ comment_count: summary.comment_count }))
  }

  const changeOwnCount = (step: 1 | -1) => {
    counts.value = { ...counts.peek(), comments: counts.peek().comments + step }
  }

  return {
    comments,
    hasMore,
    loadMore,

    async loadAll(): Promise<void> {
      do await loadMore()
      while (hasMore.peek())
    },

    /** Returns the id of the comment, which is not in the list yet. */
    async write(text: string): Promise<number | null> {
      const body: FeedbackBody = { feedback_type: 'comment', comment_text: text }
      const headers = { 'idempotency-key': getDraftKey(photoId, text) }
      const { id } = await call<typeof FeedbackReply>(path, { body, headers })
      deleteDraft(photoId)
      changeOwnCount(1)
      return id
    },

    async remove(id: number): Promise<void> {
      await call(`${path}/${id}`, { method: 'DELETE' })
      changeOwnCount(-1)
      comments.value = (comments.peek() ?? []).filter((comment) => comment.id !== id)
      await loadMore()
    },
  }
}
