import { type Signal, signal } from '@preact/signals'
import type { FeedbackBody, FeedbackReply, GuestComment, PhotoFeedback } from '../../../contract/feedback.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { counts, updatePhoto } from '../state/photos.ts'
import { createDraft } from './text-draft.ts'

const pageLength = 50

export type PhotoComments = ReturnType<typeof createPhotoComments>

/** All asynchronous functions of the result can throw ApiError or Unreachable. */
export function createPhotoComments(photoId: number) {
  const path = `/photos/${photoId}/feedback`
  const draft = createDraft(`comment ${page.slug} ${photoId}`, `comment sent ${page.slug} ${photoId}`)
  const comments: Signal<GuestComment[] | null> = signal(null)
  const hasMore = signal(false)

  async function loadMore(): Promise<void> {
    // A page that is not full is loaded again, because it may have new comments.
    const known = comments.peek() ?? []
    const number = Math.floor(known.length / pageLength) + 1
    const { feedback, summary, pagination } = await call<typeof PhotoFeedback>(
      `${path}?page=${number}&limit=${pageLength}`,
    )
    comments.value = [...known.slice(0, (number - 1) * pageLength), ...feedback]
    hasMore.value = number < pagination.pages
    updatePhoto(photoId, () => ({ comment_count: summary.comment_count }))
  }

  const changeOwnCount = (step: 1 | -1) => {
    counts.value = { ...counts.peek(), comments: counts.peek().comments + step }
  }

  return {
    comments,
    draft,
    photoId,
    hasMore,
    loadMore,

    async loadAll(): Promise<void> {
      do await loadMore()
      while (hasMore.peek())
    },

    /** Returns the id of the new comment, but does not add the comment to `comments`. */
    async write(text: string): Promise<number | null> {
      const body: FeedbackBody = { feedback_type: 'comment', comment_text: text }
      const headers = { 'idempotency-key': draft.getKey(text) }
      const { id } = await call<typeof FeedbackReply>(path, { body, headers })
      draft.remove()
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
