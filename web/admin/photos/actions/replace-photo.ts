import { ApiError, Unreachable } from '../../../shared/api-error.ts'
import { api, unwrap } from '../../api/api.ts'
import type { Photo } from '../model/photo-queries.ts'

/** Larger files, and every file for a video, are uploaded in chunks. */
export const maxFormBytes = 100_000_000

type Replacement = {
  eventId: number
  photo: Photo
  file: File
  /** The file is the next version of the photo. Its note is not sent with a file in chunks. */
  version: { note: string } | null
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/** Replaces the file of a photo; the record stays. Throws ApiError, Unreachable or an AbortError. */
export const replacePhoto = (replacement: Replacement): Promise<void> =>
  replacement.photo.media_type === 'image' && replacement.file.size <= maxFormBytes
    ? replaceByForm(replacement)
    : replaceInChunks(replacement)

async function replaceByForm({ eventId, photo, file, version, signal, onSent }: Replacement): Promise<void> {
  // The upload itself does not renew an expired session, but this request does.
  await unwrap(api.GET('/api/admin/events/{event_id}', { params: { path: { event_id: eventId } }, signal }))
  const form = new FormData()
  if (version) form.append('note', version.note)
  form.append('photo', file)
  const route = version
    ? `/api/admin/events/${eventId}/photos/${photo.id}/versions`
    : `/api/admin/photos/${eventId}/photos/${photo.id}/replace`
  await new Promise<void>((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, file.size))
    request.onload = () => {
      if (request.status < 300) return resolve()
      reject(new ApiError(request.status, request.response, request.getResponseHeader('retry-after')))
    }
    request.onerror = () => reject(new Unreachable())
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', route)
    // The response is null if it is not JSON, such as an error page of a proxy.
    request.responseType = 'json'
    request.send(form)
  })
}

async function replaceInChunks({ eventId, photo, file, version, signal, onSent }: Replacement): Promise<void> {
  const params = { path: { event_id: eventId } }
  const target = version ? 'adds_version_to' : 'replaces_photo_id'
  const body = { filename: file.name, fileSize: file.size, [target]: photo.id }
  const { uploadId, chunkSize, expectedChunks } = await unwrap(
    api.POST('/api/admin/photos/{event_id}/chunked-upload/init', { params, body, signal }),
  )
  const session = { event_id: eventId, upload_id: uploadId }
  for (let index = 0; index < expectedChunks; index++) {
    const chunk = file.slice(index * chunkSize, (index + 1) * chunkSize)
    await unwrap(
      api.POST('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/chunk/{index}', {
        params: { path: { ...session, index } },
        body: chunk as never,
        bodySerializer: (body) => body as never,
        headers: { 'content-type': 'application/octet-stream' },
        signal,
      }),
    )
    onSent(Math.min(file.size, (index + 1) * chunkSize))
  }
  const completion = { params: { path: session }, body: {}, signal }
  await unwrap(api.POST('/api/admin/photos/{event_id}/chunked-upload/{upload_id}/complete', completion))
}
