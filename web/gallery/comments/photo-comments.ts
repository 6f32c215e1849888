import type { FeedbackBody, FeedbackReply } from '../../../contract/feedback.ts'
import type { GuestThread } from '../../../contract/gallery/threads.ts'
import { call } from '../state/api.ts'
import { page } from '../state/page.ts'
import { counts } from '../state/photos.ts'
import { loadThreads } from '../threads/photo-threads.ts'
import { createDraft } from '../threads/text-draft.ts'

export type PhotoComments = ReturnType<typeof createPhotoComments>

/** All asynchronous functions of the result can throw ApiError or Unreachable. */
export function createPhotoComments(photoId: number) {
  const path = `/photos/${photoId}/feedback`
  const draft = createDraft(`comment ${page.slug} ${photoId}`, `comment sent ${page.slug} ${photoId}`)

  const changeOwnCount = (step: 1 | -1) => {
    counts.value = { ...counts.peek(), comments: counts.peek().comments + step }
  }

  return {
    draft,
    photoId,

    /** Returns the id of the new comment, but does not load its thread. */
    async write(text: string): Promise<number | null> {
      const body: FeedbackBody = { feedback_type: 'comment', comment_text: text }
      const headers = { 'idempotency-key': draft.getKey(text) }
      const { id } = await call<typeof FeedbackReply>(path, { body, headers })
      draft.remove()
      changeOwnCount(1)
      return id
    },

    async remove({ feedback_id }: GuestThread): Promise<void> {
      await call(`${path}/${feedback_id}`, { method: 'DELETE' })
      changeOwnCount(-1)
      await loadThreads(photoId)
    },
  }
}
