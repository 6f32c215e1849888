import { type Static, type TSchema, Type } from 'typebox'
import { maxBatchIndex } from './chunk-bytes.ts'
import { colorLabels } from './color-labels.ts'
import { PhotoRecord, photoTypes } from './photos.ts'
import { Id, Nullable, OneOf, OptionalNullable, Timestamp, Whole } from './shapes.ts'
import { GuestUpload } from './uploads.ts'

export { chunkBytes } from './chunk-bytes.ts'

/** Older clients also send `mimeType`. It is ignored: the file extension and the content determine the type. */
export const InitUploadBody = Type.Object({
  filename: Type.String({
    minLength: 1,
    maxLength: 10_000,
    'x-file-name': true,
    description: 'The extension determines the expected file type, which must be an allowed one',
  }),
  fileSize: Whole(1, Number.MAX_SAFE_INTEGER, 'The size of the file in bytes'),
  totalChunks: Type.Optional(
    Whole(0, Number.MAX_SAFE_INTEGER, 'Optional; must equal `fileSize / 10485760`, rounded up'),
  ),
  replaces_photo_id: OptionalNullable(Id, {
    description: 'A photo of the event whose file is to be replaced; not available to guests',
  }),
  adds_version_to: OptionalNullable(Id, {
    description: 'A photo of the event that gets the file as its next version; not available to guests',
  }),
  batch: Type.Optional(
    Type.Object(
      {
        id: Type.String({
          maxLength: 64,
          pattern: '^[0-9A-Za-z-]{16,64}$',
          description: 'Random, the same for all files of the batch',
        }),
        index: Whole(0, maxBatchIndex, 'Place in the batch, counted from 0'),
      },
      {
        title: 'UploadBatch',
        description:
          'For files that were chosen together: in the upload order their photos stand in the order of `index`, whichever arrives first. ' +
          '`uploaded_at` is the time of the first upload of the batch, plus `index` milliseconds. Without it, it is the time of completion.',
      },
    ),
  ),
})
export type InitUploadBody = Static<typeof InitUploadBody>

export const InitUploadReply = Type.Object({
  uploadId: Type.String(),
  chunkSize: Type.Integer({ description: 'Size of every chunk except the last, in bytes: 10485760' }),
  expectedChunks: Type.Integer(),
  expiresAt: Timestamp,
})

const uploadId = Type.String({ minLength: 1, maxLength: 64 })

/** Adds the upload id to the parameters of the parent resource. */
export const UploadParams = <T extends Record<string, TSchema>>(parentParams: T) =>
  Type.Object({ ...parentParams, upload_id: uploadId })
export const ChunkParams = <T extends Record<string, TSchema>>(parentParams: T) =>
  Type.Object({
    ...parentParams,
    upload_id: uploadId,
    index: Whole(0, Number.MAX_SAFE_INTEGER, 'The index of the chunk, starting at 0'),
  })

/** The bytes are streamed, so the operation validates them, not the schema. */
export const ChunkBody = Type.Unsafe<unknown>({ type: 'string', format: 'binary', 'x-streamed': true })

const percent = Whole(0, 100, 'Percentage of chunks received')

export const ChunkReply = Type.Object({
  chunkIndex: Type.Integer(),
  received: Type.Integer({ description: 'Number of chunks received' }),
  expected: Type.Integer({ description: 'Total number of chunks' }),
  progress: percent,
  complete: Type.Boolean({ description: 'Whether all chunks have been received' }),
})
export type ChunkReply = Static<typeof ChunkReply>

export const UploadStatus = Type.Object({
  uploadId: Type.String(),
  filename: Type.String(),
  fileSize: Type.Integer(),
  receivedChunks: Type.Integer(),
  receivedIndexes: Type.Array(Type.Integer(), { description: 'In ascending order' }),
  expectedChunks: Type.Integer(),
  progress: percent,
  status: OneOf(['in_progress', 'completing', 'completed', 'failed'], {
    description: '`failed`: the content was rejected; start a new upload with another file',
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type UploadStatus = Static<typeof UploadStatus>

export const CompleteUploadBody = Nullable(
  Type.Object({
    category_id: OptionalNullable(Type.Union([Id, OneOf(photoTypes)]), {
      description: 'A category of this event, a global one, or a photo type',
    }),
    replaces_photo_id: OptionalNullable(Id, {
      description: 'A photo of this event. Its file is replaced; its ID and marks are kept',
    }),
    sidecar: OptionalNullable(
      Type.Object({
        rating: OptionalNullable(Type.Number({ minimum: -1, maximum: 5 }), { description: '-1 is a rejected photo' }),
        label: OptionalNullable(Type.String({ minLength: 1, maxLength: 100 })),
        label_color: OptionalNullable(OneOf(colorLabels), { description: 'Precedes `label`' }),
        synced: OptionalNullable(Type.String({ minLength: 1, maxLength: 100 }), {
          description: '`proofroom:Synced`: marks of guests that `proofroom sync` has written, which are not yours',
        }),
      }),
      {
        description:
          '`xmp:Rating`, `xmp:Label` and `photoshop:LabelColor` of an XMP sidecar. They become your own marks of a new photo, if ' +
          '`general_read_culling_marks` is on; not available to guests',
      },
    ),
  }),
)
export type CompleteUploadBody = Static<typeof CompleteUploadBody>

const Completed = <T extends TSchema>(photo: T) =>
  Type.Object({
    success: Type.Literal(true),
    uploaded: Type.Literal(1),
    photos: Type.Array(photo, { minItems: 1, maxItems: 1 }),
  })

export const CompletedUpload = Completed(PhotoRecord)
export const CompletedGuestUpload = Completed(GuestUpload)

export const AbortedUpload = Type.Object({ uploadId: Type.String(), aborted: Type.Literal(true) })
