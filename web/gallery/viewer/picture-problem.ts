import type { MessageKey } from '../../../locales/catalogs.ts'

/** The value is null when no response arrived. */
export type PictureResponse = { status: number; code?: string | undefined; retryAfterSeconds: number } | null

export type PictureProblem = { note: MessageKey<'gallery'>; retryInSeconds: number | null }

const defaultRetrySeconds = 5

export function getPictureProblem(pictureResponse: PictureResponse, isVideo = false): PictureProblem {
  if (pictureResponse === null) return { note: 'pictureOffline', retryInSeconds: defaultRetrySeconds }
  const { status, code, retryAfterSeconds } = pictureResponse
  if (status === 503 || status === 429) {
    const note = isVideo ? 'videoInMaking' : 'pictureInMaking'
    return { note, retryInSeconds: Math.min(60, Math.max(1, retryAfterSeconds || defaultRetrySeconds)) }
  }
  if (status === 401 || status === 403) return { note: 'sessionOver', retryInSeconds: null }
  // The photo was removed from the gallery after the list was loaded.
  if (code === 'NOT_FOUND') return { note: 'photoMissing', retryInSeconds: null }
  return { note: isVideo ? 'videoUnplayable' : 'pictureUnreadable', retryInSeconds: null }
}

/** Requests the picture or video again, because HTML elements do not expose why loading has failed. */
export async function fetchPictureResponse(address: string): Promise<PictureResponse> {
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
