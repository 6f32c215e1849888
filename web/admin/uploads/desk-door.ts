import { postBytes } from '../../shared/uploads/post-bytes.ts'
import { MissingChunks, type UploadDoor, type UploadSession } from '../../shared/uploads/send-file.ts'
import { sentName } from '../../shared/uploads/upload-file-rules.ts'
import type { UploadProblem } from '../../shared/uploads/upload-verdicts.ts'
import { api, must } from '../api/api.ts'
import { ApiError, Unreachable } from '../api/api-error.ts'
import { renewSession, sessionEnds } from '../api/session-fetch.ts'
import { categoryNamed, forgetCategories } from './folder-categories.ts'
import type { EntryCategory } from './upload-entries.ts'

/** The event already has this content, so nothing is uploaded. */
export class AlreadyHere extends Error {}

type Bringing = {
  eventId: number
  file: File
  hash: () => Promise<string | null>
  category: EntryCategory
  session: UploadSession | null
  onSession: (session: UploadSession | null) => void
}

export function adminUploadAdapter({
  eventId,
  file,
  hash,
  category,
  session,
  onSession,
}: Bringing): UploadDoor<number> {
  const isResumed = session !== null
  const of = (id: string) => ({ path: { event_id: eventId, upload_id: id } })
  return {
    async begin(signal) {
      // A previous session may have been completed, so the file may already be a photo.
      if (isResumed) {
        const content = await hash()
        if (content !== null && (await knownOf(eventId, [content], signal))[content] !== undefined) {
          throw new AlreadyHere()
        }
      }
      const body = { filename: sentName(file), fileSize: file.size }
      const params = { path: { event_id: eventId } }
      return must(api.POST('/api/admin/photos/{event_id}/chunked-upload/init', { params, body, signal }))
    },
    async status(id, signal) {
      const asked = api.GET('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/status', {
        params: of(id),
        signal,
      })
      return must(asked).catch((error) => {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      })
    },
    async sendChunk(id, index, piece, posting) {
      const address = `/api/admin/photos/${eventId}/chunked-upload/${id}/chunk/${index}`
      const send = () => postBytes(address, piece, posting)
      const askedAt = Date.now()
      let answer = await send()
      if (answer.status === 401 && (await renewSession(askedAt))) answer = await send()
      if (answer.status === 401) sessionEnds.dispatchEvent(new Event('end'))
      if (answer.status < 400) return
      const headers = { 'retry-after': String(answer.retryAfterSeconds) }
      throw new ApiError(new Response(null, { status: answer.status, headers }), answer.body)
    },
    async complete(id, signal) {
      try {
        const category_id = typeof category === 'string' ? await categoryNamed(eventId, category) : category
        const { photos } = await must(
          api.POST('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/complete', {
            params: of(id),
            body: { category_id },
            signal,
          }),
        )
        return photos[0]?.id ?? 0
      } catch (error) {
        if (error instanceof ApiError && error.code === 'MISSING_CHUNKS') throw new MissingChunks()
        if (error instanceof ApiError && error.code === 'INVALID_CATEGORY') forgetCategories()
        throw error
      }
    },
    abort(id) {
      void api
        .DELETE('/api/admin/photos/{event_id}/chunked-upload/{upload_id}', { params: of(id) })
        .catch(() => undefined)
    },
    kept: () => session,
    keep: onSession,
    chunksAtOnce: 4,
  }
}

/** Returns photo ids by content hash, for at most 1000 hashes. */
export async function knownOf(
  eventId: number,
  hashes: string[],
  signal: AbortSignal,
): Promise<Record<string, number | undefined>> {
  const params = { path: { event_id: eventId } }
  return (await must(api.POST('/api/admin/photos/{event_id}/known', { params, body: { hashes }, signal }))).known
}

/** Returns which of these file sizes the event has, for at most 1000 sizes. A file with another size is new. */
export async function knownSizes(eventId: number, sizes: number[], signal: AbortSignal): Promise<Set<number>> {
  const params = { path: { event_id: eventId } }
  const body = { hashes: [], sizes }
  return new Set((await must(api.POST('/api/admin/photos/{event_id}/known', { params, body, signal }))).sizes)
}

export function problemIn(error: unknown): UploadProblem {
  if (error instanceof Unreachable) return null
  if (!(error instanceof ApiError)) throw error
  const { status, code, retryAfterSeconds, details } = error
  const kinds = details.flatMap(({ kind }) => kind ?? [])
  return { status, code: code ?? '', retryAfterSeconds: retryAfterSeconds ?? 0, kinds }
}
