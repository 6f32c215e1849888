import { getRouteUrl } from '../state/api.ts'
import { parseFilename } from './parse-filename.ts'

/** Larger files are downloaded, because a share sheet needs them in memory. */
export const maxSharedBytes = 64 * 2 ** 20

export const getDownloadUrl = (photoId: number): string => getRouteUrl(`/download/${photoId}`)

/** Returns whether the device has a share sheet that takes files of this type. */
export function canShareFiles(type: string): boolean {
  if (!matchMedia('(pointer: coarse)').matches) return false
  const example = new File([''], 'photo.jpg', { type })
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [example] })
}

/**
 * Uses the type and name of the response, because the service may send a rendition instead of the original. Returns null if
 * the photo does not arrive, or is larger than `maxSharedBytes`.
 */
export async function fetchPhoto(photoId: number, signal?: AbortSignal): Promise<File | null> {
  try {
    const response = await fetch(getDownloadUrl(photoId), { signal: signal ?? null })
    if (!response.ok || Number(response.headers.get('content-length')) > maxSharedBytes) {
      void response.body?.cancel()
      return null
    }
    const blob = await response.blob()
    const name = parseFilename(response.headers.get('content-disposition')) ?? 'photo'
    return new File([blob], name, { type: blob.type })
  } catch {
    return null
  }
}

/** Returns whether the guest closed the share sheet. */
export const isClosedByGuest = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
