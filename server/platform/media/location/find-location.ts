import { type FileHandle, open, stat } from 'node:fs/promises'
import type { BytePatch } from '../../storage/patched-reader.ts'
import { type ImageKind, readImageHeader } from '../image-header.ts'
import { readVideoHeader, type VideoKind } from '../video-header.ts'
import { clearGif, clearPng, clearWebp } from './chunk-location.ts'
import { EditedFile, type ReadFile, TooMuchToRead } from './edited-file.ts'
import { clearHeif } from './heif-location.ts'
import { clearJpeg } from './jpeg-location.ts'
import { clearMovie } from './movie-location.ts'
import { clearTiff } from './tiff-location.ts'

/** What makes a file tell of no place, and what that does to its CRC-32: XORed with it, that of the patched file. */
export type LocationPatches = { patches: BytePatch[]; crc32Change: number }

/**
 * Finds the location fields of a picture or a film, in EXIF, XMP, IPTC and what films have, as patches of the same length: nothing moves, and readers
 * find neither values nor fields. A block of metadata that is not understood is blanked whole. Null where the file itself
 * cannot be followed, within bounds that no photo needs: then nobody can say what it tells. The file is opened only for what
 * lies behind its `head`.
 */
export async function findLocation(
  path: string,
  kind: ImageKind | VideoKind,
  { sizeBytes, head }: { sizeBytes: number; head: Buffer },
): Promise<LocationPatches | null> {
  let handle: FileHandle | undefined
  const read: ReadFile = async (at, length) => {
    handle ??= await open(path, 'r')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
    return buffer.subarray(0, bytesRead)
  }
  try {
    const file = new EditedFile(read, sizeBytes, head)
    const isFollowed = await clearers[kind](file)
    return isFollowed === false ? null : file.changes()
  } catch (error) {
    // A number inside the file that leads out of what was read of it.
    if (error instanceof TooMuchToRead || error instanceof RangeError) return null
    throw error
  } finally {
    await handle?.close()
  }
}

/** As `findLocation`, for a stored file, whose kind its content tells. */
export async function findLocationIn(path: string): Promise<LocationPatches | null> {
  const { size: sizeBytes } = await stat(path)
  const header = (await readImageHeader(path)) ?? (await readVideoHeader(path, sizeBytes))
  return header ? findLocation(path, header.kind, { sizeBytes, head: Buffer.alloc(0) }) : null
}

const clearers: Record<ImageKind | VideoKind, (file: EditedFile) => Promise<unknown>> = {
  jpeg: clearJpeg,
  png: clearPng,
  webp: clearWebp,
  gif: clearGif,
  tiff: (file) => clearTiff(file, { at: 0, length: file.sizeBytes }),
  avif: clearHeif,
  heic: clearHeif,
  mp4: clearMovie,
  m4v: clearMovie,
  mov: clearMovie,
  webm: leave,
  avi: leave,
}

/** Nothing that writes such films is known to tell in them where it was. */
async function leave(): Promise<void> {}
