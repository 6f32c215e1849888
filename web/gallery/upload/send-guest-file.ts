import type { CompletedGuestUpload, InitUploadReply, UploadStatus } from '../../../contract/chunked-uploads.ts'
import type { GuestUpload } from '../../../contract/uploads.ts'
import { postBytes } from '../../shared/uploads/post-bytes.ts'
import { type FileSending, MissingChunks, sendFile, type UploadDoor } from '../../shared/uploads/send-file.ts'
import { keyOf, sentName } from '../../shared/uploads/upload-file-rules.ts'
import { ApiError, addressOf, call } from '../state/api.ts'
import { keepSession, keptSession } from './kept-sessions.ts'

type Photo = Pick<GuestUpload, 'id' | 'visibility'>

/** Throws UploadFailed and the reason of `cancelled`. */
export const sendGuestFile = (file: File, sending: FileSending): Promise<Photo> =>
  sendFile(file, doorFor(file), sending)

const base = '/chunked-upload'

function doorFor(file: File): UploadDoor<Photo> {
  const key = keyOf(file)
  return {
    begin: (signal) =>
      call<typeof InitUploadReply>(`${base}/init`, {
        body: { filename: sentName(file), fileSize: file.size },
        signal,
      }),
    status: (id, signal) =>
      call<typeof UploadStatus>(`${base}/${id}/status`, { signal }).catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }),
    async sendChunk(id, index, piece, posting) {
      const answer = await postBytes(addressOf(`${base}/${id}/chunk/${index}`), piece, posting)
      if (answer.status >= 400) throw new ApiError(answer.status, answer.body ?? {}, answer.retryAfterSeconds)
    },
    complete: (id, signal) =>
      call<typeof CompletedGuestUpload>(`${base}/${id}/complete`, { body: {}, signal }).then(
        ({ photos }) => photos[0] as GuestUpload,
        (error) => {
          throw error instanceof ApiError && error.code === 'MISSING_CHUNKS' ? new MissingChunks() : error
        },
      ),
    abort: (id) => void call(`${base}/${id}`, { method: 'DELETE' }).catch(() => undefined),
    kept: () => keptSession(key),
    keep: (session) => keepSession(key, session),
    chunksAtOnce: 2,
  }
}
