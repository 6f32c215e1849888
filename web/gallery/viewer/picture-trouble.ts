import type { GalleryMessageKey } from '../../../texts/gallery-texts.ts'

/** The value is null when no response arrived. */
export type Answered = { status: number; code?: string | undefined; retryAfterSeconds: number } | null

export type Trouble = { note: GalleryMessageKey; againAfterSeconds: number | null }

const usualWaitSeconds = 5

export function troubleOf(answered: Answered, isVideo = false): Trouble {
  if (answered === null) return { note: 'pictureOffline', againAfterSeconds: usualWaitSeconds }
  const { status, code, retryAfterSeconds } = answered
  if (status === 503 || status === 429) {
    const note = isVideo ? 'videoInMaking' : 'pictureInMaking'
    return { note, againAfterSeconds: Math.min(60, Math.max(1, retryAfterSeconds || usualWaitSeconds)) }
  }
  if (status === 401 || status === 403) return { note: 'sessionOver', againAfterSeconds: null }
  // Removed from the gallery since the list was loaded.
  if (code === 'NOT_FOUND') return { note: 'photoMissing', againAfterSeconds: null }
  return { note: isVideo ? 'videoUnplayable' : 'pictureUnreadable', againAfterSeconds: null }
}

/** Requests the picture again, because elements do not expose why they failed. */
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
