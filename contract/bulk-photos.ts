import { type Static, Type } from 'typebox'
import { ChangePhotoBody } from './photos.ts'
import { DescribedId, Id, Nullable, OneOf, Timestamp } from './shapes.ts'

const maxHashes = 1_000

const PhotoIds = Type.Array(Id, { maxItems: 10_000, description: 'At most 10,000; duplicates are ignored' })

const Ignored = Type.Array(Id, { description: 'The sent IDs that are not photos of the event' })

export const BulkDeleteBody = Type.Object({ photoIds: PhotoIds })

export const BulkDeleteReply = Type.Object({
  deleted: Type.Integer({ description: 'Number of deleted photos' }),
  ignored: Ignored,
})

export const BulkUpdateBody = Type.Object({ photoIds: PhotoIds, updates: ChangePhotoBody })

export const BulkUpdateReply = Type.Object({
  updated: Type.Integer({
    description: 'Number of photos that have the values of `updates`; 0 if `updates` contains no changes',
  }),
  ignored: Ignored,
})

const ContentHash = Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'must be 64 lowercase hex digits' })

export const KnownPhotosBody = Type.Object({
  hashes: Type.Array(ContentHash, { maxItems: maxHashes, description: 'Hashes in the format of `content_hash`' }),
  sizes: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: maxHashes,
      description: 'File sizes in bytes. A file is new if no photo has its size, so it need not be hashed',
    }),
  ),
  names: Type.Optional(
    Type.Array(Type.String({ maxLength: 1000 }), {
      maxItems: maxHashes,
      description: 'File names. A file with the name of a photo may be a retouched version of it',
    }),
  ),
})

const SameName = Type.Object({
  photos: Type.Array(Type.Object({ id: Id, captured_at: Nullable(Timestamp) }), {
    description:
      'The photos of the event with this `source_filename`, in any case, or else the only one with another extension; empty if there are more than 100',
  }),
  is_exact: Type.Boolean({ description: 'False if only the extension differs' }),
})
/** The photos of an event with the name of a file. */
export type SameName = Static<typeof SameName>

export const KnownPhotosReply = Type.Object({
  known: Type.Record(Type.String(), Id, {
    description:
      'The ID of the photo with each hash, or of the oldest one if there are several. Unknown hashes are omitted',
  }),
  earlier: Type.Optional(
    Type.Record(Type.String(), Id, {
      description:
        'The ID of the photo that had this file before it was replaced, while the file is kept. Only if there is one',
    }),
  ),
  sizes: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'With `sizes` in the request: those that photos of the event have, in ascending order',
    }),
  ),
  same_names: Type.Optional(
    Type.Record(Type.String(), SameName, {
      description: 'With `names` in the request: the photos with these names. Other names are omitted',
    }),
  ),
})
export type KnownPhotosReply = Static<typeof KnownPhotosReply>

export const MovePhotosBody = Type.Object({
  photoIds: Type.Array(Id, {
    minItems: 1,
    maxItems: 500,
    description: 'In the order that they are to have; twice is once',
  }),
  place: OneOf(['before', 'after']),
  photo_id: DescribedId('The photo before or after which they are put; not one of `photoIds`'),
})
export type MovePhotosBody = Static<typeof MovePhotosBody>

export const MovePhotosReply = Type.Object({
  moved: Type.Integer({ description: 'How many photos' }),
  ignored: Ignored,
})
