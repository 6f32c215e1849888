import { chooseCoding } from '../heic/color-properties.ts'
import { type HeicPicture, RejectedHeic } from '../heic/heic-picture.ts'
import { parseHevcConfig } from '../heic/hevc-stream.ts'
import { createProfile } from '../heic/icc-profile.ts'
import { orient } from '../heic/transformations.ts'
import { maxPixels } from '../image-tasks.ts'
import { ReadLimitExceeded } from '../location/edited-file.ts'
import type { ReadAt } from '../read-at.ts'
import type { RawKind } from './detect-raw-kind.ts'
import { findRawPicture } from './find-raw-picture.ts'

/** `exifOrientation`: 1 to 8. The picture is not turned. */
export type RawHevc = { picture: HeicPicture; exifOrientation: number }

/** Describes the largest picture of a raw file, which must be HEVC, for its decoder. Throws RejectedHeic. */
export async function readRawHevc(read: ReadAt, sizeBytes: number, kind: RawKind): Promise<RawHevc> {
  const found = await findRawPicture(read, sizeBytes, kind)
  if (found?.format !== 'hevc') throw new RejectedHeic('damage', 'The raw file has no picture in HEVC')
  const { at, length, width, height, extradata, orientation } = found
  try {
    const stream = parseHevcConfig(await read(extradata.at, extradata.length))
    const size = { width, height }
    if (stream.width < width || stream.height < height) throw new RejectedHeic('damage', 'The picture is too small')
    if (stream.width * stream.height > maxPixels) throw new RejectedHeic('size', 'The coded picture is too large')
    const tile = { ...size, left: 0, top: 0, pieces: [{ at, length }], stream, coding: chooseCoding(null, stream) }
    const profile = stream.colors && createProfile(stream.colors)
    const picture = { ...size, orientation: orient(size, []), tiles: [tile], profile }
    return { picture, exifOrientation: orientation ?? 1 }
  } catch (error) {
    if (error instanceof ReadLimitExceeded) throw new RejectedHeic('damage', 'The decoder configuration is incomplete')
    throw error
  }
}
