import type { MarkResponse } from './mark-outcome.ts'
import type { WaitingMark } from './waiting-mark.ts'

const timeoutMs = 20_000

/** Sends one mark, even if the page closes during the request. Returns null when no response arrived. */
export async function postMark({ id, slug, guestId, photoId, body }: WaitingMark): Promise<MarkResponse | null> {
  try {
    const response = await fetch(`/api/gallery/${slug}/photos/${photoId}/feedback`, {
      method: 'POST',
      credentials: 'same-origin',
      // This service never redirects here; a captive portal does.
      redirect: 'error',
      keepalive: true,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ ...body, guest_id: guestId }),
    })
    const responseBody = await response.json().catch(() => null)
    return { status: response.status, body: responseBody, retryAfter: response.headers.get('retry-after') }
  } catch {
    return null
  }
}
