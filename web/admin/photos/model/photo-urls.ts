import type { Photo } from './photo-queries.ts'

type PhotoVersion = Pick<Photo, 'id' | 'content_hash'>

/** Changes when the file is replaced, so that the browser does not show the old one from its cache. */
const versionQuery = ({ content_hash: hash }: PhotoVersion) => `v=${hash.slice(0, 8)}`

export const thumbnailUrl = (eventId: number, photo: PhotoVersion): string =>
  `/api/admin/photos/${eventId}/thumbnail/${photo.id}?${versionQuery(photo)}`

/** For a photo whose hash is not known. The browser asks whether it has changed. */
export const currentThumbnailUrl = (eventId: number, photoId: number): string =>
  `/api/admin/photos/${eventId}/thumbnail/${photoId}`

const widths = [640, 1280, 1920, 2560]

/**
 * Returns the URL of the smallest preview that fills the window, or of the largest one. `number`: of an earlier version;
 * by default, the preview is of the current one.
 */
export function previewUrl(eventId: number, photo: PhotoVersion & { number?: number }): string {
  const wanted = Math.max(innerWidth, innerHeight) * devicePixelRatio
  const width = widths.find((one) => one >= wanted) ?? widths.at(-1)
  const version = photo.number ? `&version=${photo.number}` : ''
  return `/api/admin/photos/${eventId}/preview/${photo.id}?w=${width}&${versionQuery(photo)}${version}`
}

/** The stored file, for zoom at full resolution. */
export const originalUrl = (eventId: number, photo: PhotoVersion): string =>
  `/api/admin/photos/${eventId}/photo/${photo.id}?${versionQuery(photo)}`

export const downloadUrl = (eventId: number, photo: PhotoVersion): string =>
  `/api/admin/photos/${eventId}/photos/${photo.id}/download?${versionQuery(photo)}`
