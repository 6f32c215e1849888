import { stat } from 'node:fs/promises'
import { type BytePatch, serializePatches } from '../../storage/byte-patches.ts'
import { readImageHeader } from '../image-header.ts'
import type { ImageKind } from '../image-kinds.ts'
import { type LocationChange, maxPatchesLength } from '../image-tasks.ts'
import { isRawKind, type RawKind } from '../raw/detect-raw-kind.ts'
import { withReadAt } from '../read-at.ts'
import { readVideoHeader, type VideoKind } from '../video/video-header.ts'
import { clearGif, clearPng, clearWebp } from './chunk-location.ts'
import { blockClearers } from './clear-metadata.ts'
import { EditedFile, ReadLimitExceeded } from './edited-file.ts'
import { clearHeif } from './heif-location.ts'
import { clearJpeg } from './jpeg-location.ts'
import { clearMovie } from './movie-location.ts'
import { clearRaw } from './raw-location.ts'
import { clearTiff } from './tiff-location.ts'

/**
 * `location` is null for a file that cannot be parsed within the limits. Without `kind`, the header of the file is
 * read.
 */
export async function findLocation(
  { sourcePath }: { sourcePath: string },
  kind?: ImageKind | VideoKind,
): Promise<{ location: LocationChange | null }> {
  const found = await findLocationPatches(sourcePath, kind)
  if (!found) return { location: null }
  const patches = serializePatches(found.patches)
  return { location: patches.length > maxPatchesLength ? null : { patches, crc32Change: found.crc32Change } }
}

/**
 * Returns patches that remove the location from EXIF, XMP, IPTC and video metadata and keep the length of the file. A
 * metadata block that cannot be parsed is blanked. Returns null for a file that cannot be parsed within the limits.
 */
export async function findLocationPatches(
  path: string,
  knownKind?: ImageKind | VideoKind,
): Promise<{ patches: BytePatch[]; crc32Change: number } | null> {
  const { size: sizeBytes } = await stat(path)
  const kind = knownKind ?? ((await readImageHeader(path)) ?? (await readVideoHeader(path, sizeBytes)))?.kind
  if (!kind) return null
  return withReadAt(path, async (read) => {
    const file = new EditedFile(read, sizeBytes)
    const isParsed = isRawKind(kind) ? await clearRaw(file, kind) : await clearers[kind](file)
    return isParsed === false ? null : file.changes()
  }).catch((error) => {
    if (error instanceof ReadLimitExceeded || error instanceof RangeError) return null
    throw error
  })
}

const clearers: Record<Exclude<ImageKind, RawKind> | VideoKind, (file: EditedFile) => Promise<unknown>> = {
  jpeg: (file) => clearJpeg(file),
  png: clearPng,
  webp: clearWebp,
  gif: clearGif,
  tiff: (file) => clearTiff(file, { at: 0, length: file.sizeBytes }, blockClearers),
  avif: clearHeif,
  heic: clearHeif,
  mp4: clearMovie,
  m4v: clearMovie,
  mov: clearMovie,
  webm: leaveUnchanged,
  avi: leaveUnchanged,
}

/** No program is known to write a location into these formats. */
async function leaveUnchanged(): Promise<void> {}
