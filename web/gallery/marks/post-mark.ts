import type { Answer } from './mark-answers.ts'
import type { WaitingMark } from './waiting-mark.ts'

/** A connection that has gone silent is given up after so long. */
const patienceMs = 20_000

/** Sends one mark. It goes on where the page is closed meanwhile. Null where no answer came. */
export async function postMark({ id, slug, guestId, photoId, body }: WaitingMark): Promise<Answer | null> {
  try {
    const response = await fetch(`/api/gallery/${slug}/photos/${photoId}/feedback`, {
      method: 'POST',
      credentials: 'same-origin',
      // Our service never sends it elsewhere; a network that wants a sign-in does.
      redirect: 'error',
      keepalive: true,
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ ...body, guest_id: guestId }),
    })
    const answer = await response.json().catch(() => null)
    return { status: response.status, body: answer, retryAfter: response.headers.get('retry-after') }
  } catch {
    return null
  }
}
