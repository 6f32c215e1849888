import { thumbHashToDataURL } from 'thumbhash'
import type { Photo } from './photo-queries.ts'

type Named = Pick<Photo, 'id' | 'content_hash'>

/** A new URL after the file is replaced, so that the browser does not use its cache. */
const versionOf = ({ content_hash: hash }: Named) => `v=${hash.slice(0, 8)}`

export const thumbnailOf = (eventId: number, photo: Named): string =>
  `/api/admin/photos/${eventId}/thumbnail/${photo.id}?${versionOf(photo)}`

const widths = [640, 1280, 1920, 2560]

/** Returns the URL of the smallest preview that fills the window. */
export function fittedOf(eventId: number, photo: Named): string {
  const wanted = Math.max(innerWidth, innerHeight) * devicePixelRatio
  const width = widths.find((one) => one >= wanted) ?? widths.at(-1)
  return `/api/admin/photos/${eventId}/preview/${photo.id}?w=${width}&${versionOf(photo)}`
}

/** The stored file: for zoom at full resolution and for video. */
export const originalOf = (eventId: number, photo: Named): string =>
  `/api/admin/photos/${eventId}/photo/${photo.id}?${versionOf(photo)}`

export const downloadOf = (eventId: number, photo: Named): string =>
  `/api/admin/photos/${eventId}/photos/${photo.id}/download?${versionOf(photo)}`

const standIns = new Map<string, string>()

export function standInOf(thumbhash: string): string {
  let url = standIns.get(thumbhash)
  if (!url) {
    url = thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
    if (standIns.size > 2_000) standIns.clear()
    standIns.set(thumbhash, url)
  }
  return url
}
