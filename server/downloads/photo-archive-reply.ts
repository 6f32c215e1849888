import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FileToSend, sendFile } from '../platform/http/send-file.ts'
import type { PhotoArchive } from './zip-photos.ts'

export function sendPhotoArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  archive: PhotoArchive,
  file: Pick<FileToSend, 'onBegin'> & { downloadName: string },
): Promise<unknown> {
  const { photoCount, missingCount, sizeBytes, etag } = archive
  reply.headers({ 'x-zip-photos': String(photoCount), 'x-zip-missing': String(missingCount) })
  return sendFile(request, reply, {
    sizeBytes,
    etag,
    contentType: 'application/zip',
    ...file,
    open: async (range) => archive.open(range),
  })
}
