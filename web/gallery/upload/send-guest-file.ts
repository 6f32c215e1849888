import type { CompletedGuestUpload, InitUploadReply, UploadStatus } from '../../../contract/chunked-uploads.ts'
import type { GuestUpload } from '../../../contract/uploads.ts'
import { ApiError } from '../../shared/api-error.ts'
import { postBytes } from '../../shared/uploads/post-bytes.ts'
import { MissingChunks, type SendFileOptions, sendFile, type UploadAdapter } from '../../shared/uploads/send-file.ts'
import type { UploadBatch } from '../../shared/uploads/upload-batches.ts'
import { getFileKey, getUploadName } from '../../shared/uploads/upload-file-rules.ts'
import { call, getRouteUrl } from '../state/api.ts'
import { storedSession, storeSession } from './stored-sessions.ts'

type Photo = Pick<GuestUpload, 'id' | 'visibility'>

/** Throws what `sendFile` throws. */
export const sendGuestFile = (file: File, batch: UploadBatch, options: SendFileOptions): Promise<Photo> =>
  sendFile(file, uploadAdapterFor(file, batch), options)

const base = '/chunked-upload'

function uploadAdapterFor(file: File, batch: UploadBatch): UploadAdapter<Photo> {
  const key = getFileKey(file)
  return {
    begin: (signal) =>
      call<typeof InitUploadReply>(`${base}/init`, {
        body: { filename: getUploadName(file), fileSize: file.size, batch },
        signal,
      }),
    status: (id, signal) =>
      call<typeof UploadStatus>(`${base}/${id}/status`, { signal }).catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
    async sendChunk(id, index, piece, postOptions) {
      const response = await postBytes(getRouteUrl(`${base}/${id}/chunk/${index}`), piece, postOptions)
      if (response.status >= 400) throw new ApiError(response.status, response.body, response.retryAfterSeconds)
    },
    complete: (id, signal) =>
      call<typeof CompletedGuestUpload>(`${base}/${id}/complete`, { body: {}, signal }).then(
        ({ photos }) => photos[0] as GuestUpload,
        (error) => {
          throw error instanceof ApiError && error.code === 'MISSING_CHUNKS' ? new MissingChunks() : error
        },
      ),
    abort: (id) => void call(`${base}/${id}`, { method: 'DELETE' }).catch(() => undefined),
    storedSession: () => storedSession(key),
    saveSession: (session) => storeSession(key, session),
    maxConcurrentChunks: 2,
  }
}
