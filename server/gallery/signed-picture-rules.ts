import { signedWidths } from '../../contract/gallery/signed-pictures.ts'
import type { SignedPicture } from '../access/picture-signatures.ts'

/** How long caches may show a picture after it was hidden or its gallery was closed. */
export const maxPictureAgeSeconds = 300

export const signedPicturePath = ({ photoId, widthPx, expiresAt }: SignedPicture, signature: string): string =>
  `/pictures/${photoId}/${widthPx}/${expiresAt}/${signature}`

export type PicturePath = { photo_id: string; width: string; expires: string; signature: string }

/** Returns null for an address that has ended and for a path that `signedPicturePath` does not make. */
export function parsePicturePath(path: PicturePath, now: number): SignedPicture | null {
  const widthPx = signedWidths.find((width) => String(width) === path.width)
  const photoId = parseWhole(path.photo_id)
  const expiresAt = parseWhole(path.expires)
  if (widthPx === undefined || photoId === null || expiresAt === null || expiresAt * 1000 <= now) return null
  return { photoId, widthPx, expiresAt }
}

/** Each number has one form, so that caches have one address for a picture. */
const parseWhole = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/**
 * Returns the `Cache-Control` of a picture that may be shown until both times (epoch milliseconds). Shared caches may
 * keep it, because everybody with the address gets the same picture.
 */
export function pictureCacheControl(now: number, ...endTimes: number[]): string {
  const leftSeconds = Math.floor((Math.min(...endTimes) - now) / 1000)
  return `public, max-age=${Math.min(maxPictureAgeSeconds, leftSeconds)}, must-revalidate`
}
