import type { SameName } from '../../../contract/bulk-photos.ts'
import { ApiError, Unreachable } from '../../shared/api-error.ts'
import { postBytes } from '../../shared/uploads/post-bytes.ts'
import type { UploadProblem } from '../../shared/uploads/retry-decision.ts'
import { MissingChunks, type UploadAdapter, type UploadSession } from '../../shared/uploads/send-file.ts'
import type { UploadBatch } from '../../shared/uploads/upload-batches.ts'
import { getUploadName } from '../../shared/uploads/upload-file-rules.ts'
import { api, unwrap } from '../api/api.ts'
import { renewSession, sessionEvents } from '../api/session-fetch.ts'
import { findOrCreateCategory, forgetCategories } from './folder-categories.ts'
import { readSidecar } from './read-sidecar.ts'
import type { EntryCategory } from './upload-entries.ts'

/** The event already has this content, so nothing is uploaded. */
export class AlreadyUploaded extends Error {}

type UploadAdapterOptions = {
  eventId: number
  file: File
  sidecar: File | null
  hash: () => Promise<string | null>
  category: EntryCategory
  replaces: number | null
  keepsVersions: boolean
  session: UploadSession | null
  batch: UploadBatch
  onSession: (session: UploadSession | null) => void
}

export function adminUploadAdapter({
  eventId,
  file,
  sidecar,
  hash,
  category,
  replaces,
  keepsVersions,
  session,
  batch,
  onSession,
}: UploadAdapterOptions): UploadAdapter<{ filename: string } | undefined> {
  const isResumed = session !== null
  const sessionParams = (id: string) => ({ path: { event_id: eventId, upload_id: id } })
  return {
    async begin(signal) {
      // The session of the interrupted upload may have been completed, so the file may already be a photo.
      if (isResumed) {
        const content = await hash()
        if (content !== null && (await findKnownContents(eventId, [content], signal)).known[content] !== undefined) {
          throw new AlreadyUploaded()
        }
      }
      const body = {
        filename: getUploadName(file),
        fileSize: file.size,
        ...(replaces === null ? { batch } : { [keepsVersions ? 'adds_version_to' : 'replaces_photo_id']: replaces }),
      }
      const params = { path: { event_id: eventId } }
      return unwrap(api.POST('/api/admin/photos/{event_id}/chunked-upload/init', { params, body, signal }))
    },
    async status(id, signal) {
      const request = api.GET('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/status', {
        params: sessionParams(id),
        signal,
      })
      return unwrap(request).catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      })
    },
    async sendChunk(id, index, chunk, posting) {
      const address = `/api/admin/photos/${eventId}/chunked-upload/${id}/chunk/${index}`
      const send = () => postBytes(address, chunk, posting)
      const sentAt = Date.now()
      let response = await send()
      if (response.status === 401 && (await renewSession(sentAt))) response = await send()
      if (response.status === 401) sessionEvents.dispatchEvent(new Event('end'))
      if (response.status >= 400) throw new ApiError(response.status, response.body, response.retryAfterSeconds)
    },
    async complete(id, signal) {
      try {
        const category_id = typeof category === 'string' ? await findOrCreateCategory(eventId, category) : category
        const marks = sidecar && (await readSidecar(sidecar))
        const { photos } = await unwrap(
          api.POST('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/complete', {
            params: sessionParams(id),
            body: { category_id, ...(marks && { sidecar: marks }) },
            signal,
          }),
        )
        return photos[0]
      } catch (error) {
        if (error instanceof ApiError && error.code === 'MISSING_CHUNKS') throw new MissingChunks()
        if (error instanceof ApiError && error.code === 'INVALID_CATEGORY') forgetCategories()
        throw error
      }
    },
    abort(id) {
      void api
        .DELETE('/api/admin/photos/{event_id}/chunked-upload/{upload_id}', { params: sessionParams(id) })
        .catch(() => undefined)
    },
    storedSession: () => session,
    saveSession: onSession,
    maxConcurrentChunks: 4,
  }
}

type PhotoIds = Record<string, number | undefined>

/** Returns photo ids by content hash, for at most 1000 hashes; `earlier` for files that the photos had before. */
export async function findKnownContents(
  eventId: number,
  hashes: string[],
  signal: AbortSignal,
): Promise<{ known: PhotoIds; earlier: PhotoIds }> {
  const params = { path: { event_id: eventId } }
  const reply = await unwrap(api.POST('/api/admin/photos/{event_id}/known', { params, body: { hashes }, signal }))
  return { known: reply.known, earlier: reply.earlier ?? {} }
}

/**
 * Returns those of at most 1000 file sizes that photos of the event have, and the photos with the same names. A file with
 * another size is new.
 */
export async function findSimilar(
  eventId: number,
  files: { sizes: number[]; names: string[] },
  signal: AbortSignal,
): Promise<{ sizes: Set<number>; sameNames: Record<string, SameName | undefined> }> {
  const params = { path: { event_id: eventId } }
  const body = { hashes: [], ...files }
  const found = await unwrap(api.POST('/api/admin/photos/{event_id}/known', { params, body, signal }))
  return { sizes: new Set(found.sizes), sameNames: found.same_names ?? {} }
}

export function toUploadProblem(error: unknown): UploadProblem {
  if (error instanceof Unreachable) return null
  if (error instanceof ApiError) return error
  throw error
}
