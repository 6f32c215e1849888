import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemCode } from '../../../contract/problems.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { sendFile } from '../../platform/http/send-file.ts'
import { getContentType } from '../../platform/media/content-types.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { FileMissing, type Storage } from '../../platform/storage/storage.ts'
import { thumbnailKey } from '../photo-files.ts'
import { findPhoto, type PhotoRow } from '../photo-rows.ts'
import type { PhotoWithThumbnail } from './remake-thumbnail.ts'
import type { Renditions } from './renditions.ts'

export type PhotoWithStoredThumbnail = PhotoWithThumbnail & Pick<PhotoRow, 'thumbnail_sha256' | 'thumbnail_size_bytes'>

/** The problems of routes that send a picture of a photo. */
export const pictureProblems: ProblemCode[] = ['PHOTO_FILE_MISSING', 'PREVIEW_UNAVAILABLE', 'PHOTO_PROCESSING']

export type Thumbnail = { filename: string; sha256: string; sizeBytes: number }

type ThumbnailSource = {
  /** Throws FileMissing if the file is missing or does not have the recorded size. */
  read: (thumbnail: Thumbnail) => Promise<Buffer>
  /** Returns the photo with its new thumbnail, or undefined if the photo is deleted. */
  remake: () => Promise<PhotoWithStoredThumbnail | undefined>
}

/** The calling function must check access. A thumbnail that is missing or has another size is made again. */
export async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoWithStoredThumbnail,
  { read, remake }: ThumbnailSource,
): Promise<unknown> {
  try {
    return await send(request, reply, photo, read)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    const remade = await remake()
    if (!remade) throw new AppError('NOT_FOUND')
    return send(request, reply, remade, read)
  }
}

/** As `sendThumbnail`, with the bytes of the storage. */
export const sendStoredThumbnail = (
  { db, storage }: PlatformContext,
  renditions: Renditions,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoWithStoredThumbnail,
): Promise<unknown> =>
  sendThumbnail(request, reply, photo, {
    read: (thumbnail) => readThumbnail(storage, photo.event_id, thumbnail),
    remake: async () => {
      await renditions.remakeThumbnail(photo)
      return findPhoto(db, photo.event_id, photo.id)
    },
  })

export async function readThumbnail(
  storage: Storage,
  eventId: number,
  { filename, sizeBytes }: Thumbnail,
): Promise<Buffer> {
  const key = thumbnailKey(eventId, filename)
  // One extra byte detects a file that is too long.
  const body = await storage.readSmallFile(key, sizeBytes + 1)
  if (body.length !== sizeBytes) throw new FileMissing(key)
  return body
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoWithStoredThumbnail,
  read: ThumbnailSource['read'],
): Promise<unknown> {
  const { thumbnail_filename: filename, thumbnail_sha256: sha256, thumbnail_size_bytes: sizeBytes } = photo
  if (!filename || !sha256 || sizeBytes === null) throw new FileMissing('a thumbnail that was never made')
  return sendFile(request, reply, {
    sizeBytes,
    etag: sha256,
    contentType: getContentType(filename),
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const body = await read({ filename, sha256, sizeBytes })
      return Readable.from([body.subarray(range.start, range.end + 1)])
    },
  })
}
