import { randomBytes } from 'node:crypto'
import { extname } from 'node:path/posix'
import { eventPrefix } from '../events/event-rules.ts'
import { OutcomeUnknown } from '../platform/database/opened-database.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'
import type { PhotoRow } from './photo-rows.ts'

export const originalsPrefix = (eventId: number): string => `${eventPrefix(eventId)}/originals`
export const originalKey = (eventId: number, filename: string): string => `${originalsPrefix(eventId)}/${filename}`
export const thumbnailKey = (eventId: number, filename: string): string =>
  `${eventPrefix(eventId)}/thumbnails/${filename}`
export const stillsPrefix = (eventId: number): string => `${eventPrefix(eventId)}/stills`
export const stillKey = (eventId: number, filename: string): string => `${stillsPrefix(eventId)}/${filename}`
export const renditionKey = (eventId: number, filename: string): string => `${renditionPrefix(eventId)}/${filename}`
export const renditionPrefix = (eventId: number): string => `${eventPrefix(eventId)}/renditions`

export type StoredNames = Pick<
  PhotoRow,
  'event_id' | 'media_type' | 'filename' | 'thumbnail_filename' | 'still_filename'
>

/** Returns the keys of the files that downloads send: the original, and the still of an image. */
export const downloadedKeys = (photo: StoredNames): string[] => [
  originalKey(photo.event_id, photo.filename),
  ...(photo.media_type === 'image' ? stillKeys(photo) : []),
]

/** Returns the keys of the thumbnail and of the still of a video, not of renditions. */
export const derivedKeys = (photo: StoredNames): string[] => [
  ...(photo.thumbnail_filename ? [thumbnailKey(photo.event_id, photo.thumbnail_filename)] : []),
  ...(photo.media_type === 'video' ? stillKeys(photo) : []),
]

const stillKeys = ({ event_id, still_filename }: StoredNames): string[] =>
  still_filename ? [stillKey(event_id, still_filename)] : []

type PictureColumns = 'event_id' | 'media_type' | 'filename' | 'size_bytes' | 'still_filename' | 'still_size_bytes'

/**
 * Returns the still if there is one, otherwise the original of an image. Throws PREVIEW_UNAVAILABLE for a video without a
 * still.
 */
export function getPictureFile(photo: Pick<PhotoRow, PictureColumns>): { key: string; sizeBytes: number } {
  const { event_id, media_type, filename, size_bytes, still_filename, still_size_bytes } = photo
  if (still_filename !== null && still_size_bytes !== null) {
    return { key: stillKey(event_id, still_filename), sizeBytes: still_size_bytes }
  }
  if (media_type === 'image') return { key: originalKey(event_id, filename), sizeBytes: size_bytes }
  throw new AppError('PREVIEW_UNAVAILABLE')
}

type KeptJpegColumns = 'event_id' | 'media_type' | 'still_filename' | 'still_size_bytes' | 'still_sha256'

/** `etag`: without quotes. */
export type KeptJpeg = { key: string; sizeBytes: number; etag: string }

/**
 * Returns the JPEG that guests get instead of an image that browsers do not show; null for any other photo. It has no
 * location.
 */
export function findKeptJpeg(photo: Pick<PhotoRow, KeptJpegColumns>): KeptJpeg | null {
  const { event_id, media_type, still_filename, still_size_bytes: sizeBytes, still_sha256: etag } = photo
  if (media_type !== 'image' || still_filename === null || sizeBytes === null || etag === null) return null
  return { key: stillKey(event_id, still_filename), sizeBytes, etag }
}

/**
 * Removes the files of a failed transaction. If its outcome is unknown, the files stay, because their rows may exist.
 */
export async function rollBackFiles(storage: Storage, keys: readonly string[], error: unknown): Promise<void> {
  if (error instanceof OutcomeUnknown) return
  await Promise.all(keys.map(storage.remove))
}

/** Call it after the commit, for files that no row names any more. If it fails, the sweep removes the rest. */
export async function removeObsoleteFiles(
  { storage, log }: Pick<PlatformContext, 'storage' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await storage.remove(key).catch((err) => log.warn({ err }, 'Could not remove an obsolete file'))
  }
}

/** Returns the time in milliseconds and 8 random hex digits, such as `1777777777777_0a1b2c3d`. */
export const newFileStem = (now: number): string => `${now}_${randomBytes(4).toString('hex')}`

/**
 * Returns `finalName`, which a chunked upload chooses at its start. Returns a new name if `finalName` is missing or has
 * another extension.
 */
export const chooseStoredName = (finalName: string | undefined, extension: string, now: number): string =>
  finalName !== undefined && extname(finalName) === extension ? finalName : newFileStem(now) + extension

const maxNameLength = 255

/**
 * Control characters, line separators, bidirectional marks and the replacement character. Joiners are allowed, because
 * emoji need them.
 */
const unsafeCharacters = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu

/**
 * Returns the last path segment as `normalizeText` does, without unsafe characters, in at most 255 characters. If nothing or only dots
 * are left, returns `photo` with `fallbackExtension`.
 */
export function sanitizeOriginalName(clientName: string, fallbackExtension: string): string {
  const segment = clientName.split(/[/\\]/).at(-1) ?? ''
  const clean = normalizeText(segment.toWellFormed().replace(unsafeCharacters, '')).trim()
  if (clean === '' || /^\.+$/.test(clean)) return `photo${fallbackExtension}`
  if (clean.length <= maxNameLength) return clean
  const [extension = ''] = /\.[^.]{1,10}$/.exec(clean) ?? []
  return truncateName(clean.slice(0, clean.length - extension.length), extension)
}

export const truncateName = (stem: string, extension: string): string =>
  stem.length + extension.length <= maxNameLength
    ? stem + extension
    : truncate(stem, maxNameLength - extension.length) + extension

/** Never splits a surrogate pair. */
function truncate(text: string, length: number): string {
  const isSplitPair = /[\ud800-\udbff]/.test(text[length - 1] ?? '')
  return text.slice(0, isSplitPair ? length - 1 : length)
}
