import type { GalleryTextKey } from '../../../texts/gallery-texts.ts'

/** What the service answered where a picture did not show; null without an answer. */
export type Answered = { status: number; code?: string | undefined; retryAfterSeconds: number } | null

export type Trouble = { note: GalleryTextKey; againAfterSeconds: number | null }

const usualWaitSeconds = 5

/** What to say of a picture that does not show, and when to try again: never a blank. */
export function troubleOf(answered: Answered, isVideo = false): Trouble {
  if (answered === null) return { note: 'pictureOffline', againAfterSeconds: usualWaitSeconds }
  const { status, code, retryAfterSeconds } = answered
  if (status === 503 || status === 429) {
    const note = isVideo ? 'videoInMaking' : 'pictureInMaking'
    return { note, againAfterSeconds: Math.min(60, Math.max(1, retryAfterSeconds || usualWaitSeconds)) }
  }
  if (status === 401 || status === 403) return { note: 'sessionOver', againAfterSeconds: null }
  // Taken out of the gallery meanwhile.
  if (code === 'NOT_FOUND') return { note: 'photoMissing', againAfterSeconds: null }
  return { note: isVideo ? 'videoUnplayable' : 'pictureUnreadable', againAfterSeconds: null }
}

/** Asks once more for what an element could not show: elements do not tell why. */
export async function askWhy(address: string): Promise<Answered> {
  try {
    const response = await fetch(address, { headers: { range: 'bytes=0-0' } })
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0)
    if (!response.ok) return { status: response.status, code: (await response.json()).code, retryAfterSeconds }
    void response.body?.cancel()
    return { status: response.status, retryAfterSeconds }
  } catch {
    return null
  }
}
