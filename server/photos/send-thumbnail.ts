import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/app-error.ts'
import { sendFile } from '../platform/http/send-file.ts'
import { contentTypeOf } from '../platform/media/content-types.ts'
import { FileMissing, type Storage } from '../platform/storage/storage.ts'
import { thumbnailKey } from './photo-files.ts'
import type { PhotoRow } from './photo-rows.ts'
import type { PhotoWithThumbnail } from './remake-thumbnail.ts'

export type PhotoToGlance = PhotoWithThumbnail & Pick<PhotoRow, 'thumbnail_sha256' | 'thumbnail_size_bytes'>

export type Thumbnail = { filename: string; sha256: string; sizeBytes: number }

type Ways = {
  /** Throws FileMissing, also if the file does not have the recorded size. */
  read: (thumbnail: Thumbnail) => Promise<Buffer>
  /** Returns the photo with its new thumbnail. */
  mend: () => Promise<PhotoToGlance | undefined>
}

/** The caller checks access. */
export async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoToGlance,
  { read, mend }: Ways,
): Promise<unknown> {
  try {
    return await send(request, reply, photo, read)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    const mended = await mend()
    if (!mended) throw new AppError('NOT_FOUND')
    return send(request, reply, mended, read)
  }
}

export async function readThumbnail(
  storage: Storage,
  eventId: number,
  { filename, sizeBytes }: Thumbnail,
): Promise<Buffer> {
  const key = thumbnailKey(eventId, filename)
  // One extra byte detects a file that is too long.
  const body = await storage.readWhole(key, sizeBytes + 1)
  if (body.length !== sizeBytes) throw new FileMissing(key)
  return body
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  photo: PhotoToGlance,
  read: Ways['read'],
): Promise<unknown> {
  const { thumbnail_filename: filename, thumbnail_sha256: sha256, thumbnail_size_bytes: sizeBytes } = photo
  if (!filename || !sha256 || sizeBytes === null) throw new FileMissing('a thumbnail that was never made')
  return sendFile(request, reply, {
    sizeBytes,
    etag: sha256,
    contentType: contentTypeOf(filename),
    open: async (range = { start: 0, end: sizeBytes - 1 }) => {
      const body = await read({ filename, sha256, sizeBytes })
      return Readable.from([body.subarray(range.start, range.end + 1)])
    },
  })
}
