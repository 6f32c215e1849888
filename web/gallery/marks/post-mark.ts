import type { Answer } from './mark-answers.ts'
import type { WaitingMark } from './waiting-mark.ts'

const patienceMs = 20_000

/** Sends one mark, even if the page closes during the request. Returns null when no response arrived. */
export async function postMark({ id, slug, guestId, photoId, body }: WaitingMark): Promise<Answer | null> {
  try {
    const response = await fetch(`/api/gallery/${slug}/photos/${photoId}/feedback`, {
      method: 'POST',
      credentials: 'same-origin',
      // This service never redirects here; a captive portal does.
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
