import { type Static, Type } from 'typebox'
import { ChangePhotoBody } from './photos.ts'
import { Id } from './shapes.ts'

const maxHashes = 1_000

const PhotoIds = Type.Array(Id, { maxItems: 10_000, description: 'At most 10,000; twice is once' })

const Ignored = Type.Array(Id, { description: 'The ids that are no photos of the event, as they were sent' })

export const BulkDeleteBody = Type.Object({ photoIds: PhotoIds })

export const BulkDeleteReply = Type.Object({
  deleted: Type.Integer({ description: 'How many photos' }),
  ignored: Ignored,
})

export const BulkUpdateBody = Type.Object({ photoIds: PhotoIds, updates: ChangePhotoBody })

export const BulkUpdateReply = Type.Object({
  updated: Type.Integer({ description: 'How many photos are now as `updates` say; 0 where these say nothing' }),
  ignored: Ignored,
})

const ContentHash = Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'must be 64 lowercase hex digits' })

export const KnownPhotosBody = Type.Object({
  hashes: Type.Array(ContentHash, { maxItems: maxHashes, description: 'Each as `content_hash` of a photo' }),
  sizes: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: maxHashes,
      description: 'In bytes. A file of a size that no photo has need not be hashed to know that it is new',
    }),
  ),
})

export const KnownPhotosReply = Type.Object({
  known: Type.Record(Type.String(), Id, {
    description:
      'The photo with that content, the oldest of several; a hash that no photo of the event has is left out',
  }),
  sizes: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Where sizes were asked: those that photos of the event have, rising' }),
  ),
})
export type KnownPhotosReply = Static<typeof KnownPhotosReply>
