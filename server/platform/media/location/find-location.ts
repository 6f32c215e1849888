import { stat } from 'node:fs/promises'
import type { BytePatch } from '../../storage/byte-readers.ts'
import { type ImageKind, readImageHeader } from '../image-header.ts'
import { withReadAt } from '../read-at.ts'
import { readVideoHeader, type VideoKind } from '../video-header.ts'
import { clearGif, clearPng, clearWebp } from './chunk-location.ts'
import { blockClearers } from './clear-metadata.ts'
import { EditedFile, ReadLimitExceeded } from './edited-file.ts'
import { clearHeif } from './heif-location.ts'
import { clearJpeg } from './jpeg-location.ts'
import { clearMovie } from './movie-location.ts'
import { clearTiff } from './tiff-location.ts'

/** Patches that remove the location from a file. Old CRC-32 XOR `crc32Change` is the new CRC-32. */
export type LocationPatches = { patches: BytePatch[]; crc32Change: number }

/**
 * Returns patches that remove the location from EXIF, XMP, IPTC and video metadata and keep the length of the file. A
 * metadata block that cannot be parsed is blanked. Returns null for a file that cannot be parsed within the limits.
 */
export function findLocationPatches(
  path: string,
  kind: ImageKind | VideoKind,
  { sizeBytes, head }: { sizeBytes: number; head: Buffer },
): Promise<LocationPatches | null> {
  return withReadAt(path, Buffer.alloc(0), async (read) => {
    const file = new EditedFile(read, sizeBytes, head)
    const isParsed = await clearers[kind](file)
    return isParsed === false ? null : file.changes()
  }).catch((error) => {
    if (error instanceof ReadLimitExceeded || error instanceof RangeError) return null
    throw error
  })
}

export async function findLocationPatchesInFile(path: string): Promise<LocationPatches | null> {
  const { size: sizeBytes } = await stat(path)
  const header = (await readImageHeader(path)) ?? (await readVideoHeader(path, sizeBytes))
  return header ? findLocationPatches(path, header.kind, { sizeBytes, head: Buffer.alloc(0) }) : null
}

const clearers: Record<ImageKind | VideoKind, (file: EditedFile) => Promise<unknown>> = {
  jpeg: clearJpeg,
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
