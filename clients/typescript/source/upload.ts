import { readJson } from './bounded-body.ts'
import { type ChunkedOptions, sendInChunks } from './chunked-upload.ts'
import type { Send } from './connection.ts'
import { ProofroomError } from './problem.ts'

export type UploadOptions = ChunkedOptions & {
  /** The name of the file; not needed for a `File`. */
  name?: string
  /** A category of the event or a global one, or a photo type if the file is sent in chunks. */
  categoryId?: number | 'individual' | 'collage' | null
  /** Larger photos are sent in chunks, which can be resumed; the default is 32 MB. Videos always are. */
  chunkedFromBytes?: number
  /** For files that are sent in chunks: keeps their order, whichever arrives first. The same `id` for all of them. */
  batch?: { id: string; index: number }
  /** Marks of the XMP sidecar of a new photo, which is then sent in chunks. They become your own, if the service reads such marks. */
  sidecar?: SidecarMarks
}

/** Values of `xmp:Rating`, `xmp:Label`, `photoshop:LabelColor` and `proofroom:Synced`. */
export type SidecarMarks = {
  rating?: number | null
  label?: string | null
  label_color?: 'red' | 'yellow' | 'green' | 'blue' | 'purple' | null
  synced?: string | null
}

type Target = { eventId: number; replacesPhotoId?: number; addsVersionTo?: number }

/** What one request may carry, which the API fixes. */
const maxFormBytes = 104_857_600

const videoNames = /\.(mp4|m4v|mov|webm|avi)$/i

/** Returns the photo, or what a replacement returns. Throws ProofroomError. */
export async function uploadFile<Photo>(
  send: Send,
  { eventId, replacesPhotoId, addsVersionTo }: Target,
  file: Blob,
  options: UploadOptions,
): Promise<Photo> {
  const { name = (file as Partial<File>).name, categoryId, batch, sidecar, chunkedFromBytes = 33_554_432 } = options
  if (name === undefined) throw new TypeError('A Blob has no name: name it in the options.')
  const parameters = { event_id: eventId }
  const replaces = replacesPhotoId === undefined ? {} : { replaces_photo_id: replacesPhotoId }
  const isVideo = file.type.startsWith('video/') || videoNames.test(name)
  const isInChunks = isVideo || addsVersionTo !== undefined || options.resume !== undefined
  const fitsInForm = !isInChunks && file.size <= maxFormBytes

  async function sendForm(): Promise<Photo> {
    const form = new FormData()
    const fields = { ...(typeof categoryId === 'number' && { category_id: categoryId }), ...replaces }
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value))
    // The service reads the type from the content; the form must say that it is an image.
    const image = file.type.startsWith('image/') ? file : file.slice(0, file.size, 'image/jpeg')
    form.append('photo', image, name)
    const { onProgress, signal, retries } = options
    onProgress?.({ sentBytes: 0, totalBytes: file.size })
    const response = await send('POST', '/api/v1/events/{event_id}/photos', {
      path: parameters,
      body: form,
      headers: { 'idempotency-key': crypto.randomUUID(), ...options.headers },
      ...(signal && { signal }),
      ...(retries !== undefined && { retries }),
    })
    const answer = await readJson<{ photo?: Photo }>(response)
    onProgress?.({ sentBytes: file.size, totalBytes: file.size })
    return answer.photo ?? (answer as Photo)
  }

  if (fitsInForm && file.size < chunkedFromBytes && typeof categoryId !== 'string' && !sidecar) return sendForm()
  const upload = {
    path: '/api/v1/events/{event_id}/chunked-upload',
    parameters,
    file,
    init: {
      filename: name,
      ...replaces,
      ...(addsVersionTo && { adds_version_to: addsVersionTo }),
      ...(batch && { batch }),
    },
    complete: {
      ...(categoryId !== undefined && { category_id: categoryId }),
      ...replaces,
      ...(sidecar && { sidecar }),
    },
  }
  return sendInChunks<Photo>(send, upload, options).catch((error: unknown) => {
    if (!fitsInForm || !isUnknownPath(error)) throw error
    // A service that cannot receive chunks from API tokens.
    return sendForm()
  })
}

const isUnknownPath = (error: unknown): boolean =>
  error instanceof ProofroomError && error.status === 404 && error.details.some(({ kind }) => kind === 'unknown_path')
