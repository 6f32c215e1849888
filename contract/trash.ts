import { type Static, Type } from 'typebox'
import { Id, Nullable, Pagination, Timestamp } from './shapes.ts'

const times = {
  trashed_at: Timestamp,
  deletes_at: Type.String({ ...Timestamp, description: 'When it is deleted for good, within an hour' }),
}

export const TrashPhotosBody = Type.Object({
  photoIds: Type.Array(Id, { maxItems: 10_000, description: 'At most 10,000; duplicates are ignored' }),
})

const Ignored = (description: string) => Type.Array(Id, { description })

export const TrashPhotosReply = Type.Object({
  trashed: Type.Integer({ description: 'Number of photos that were moved' }),
  ignored: Ignored('The sent IDs that are not photos of the event'),
})

export const RestorePhotosReply = Type.Object({
  restored: Type.Integer({ description: 'Number of photos that are back in the event' }),
  ignored: Ignored('The sent IDs that are not in the trash of the event'),
})

export const DeleteTrashedPhotosReply = Type.Object({
  deleted: Type.Integer({ description: 'Number of photos that were deleted for good' }),
  ignored: Ignored('The sent IDs that are not in the trash of the event'),
})

export const EmptyTrashReply = Type.Object({ deleted: Type.Integer({ description: 'How many were deleted for good' }) })

export const TrashedPhoto = Type.Object(
  {
    id: Id,
    original_filename: Type.String(),
    media_type: Type.Unsafe<'image' | 'video'>({ type: 'string', enum: ['image', 'video'] }),
    size_bytes: Type.Integer(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    thumbhash: Nullable(Type.String()),
    ...times,
  },
  { title: 'TrashedPhoto' },
)
export type TrashedPhoto = Static<typeof TrashedPhoto>

export const TrashedPhotoList = Type.Object(
  {
    photos: Type.Array(TrashedPhoto, { description: 'Those moved last first' }),
    total_size: Type.Integer({ description: 'Bytes of all originals in the trash of the event' }),
    video_count: Type.Integer({ description: 'How many of all photos in the trash of the event are videos' }),
    pagination: Pagination,
  },
  { title: 'TrashedPhotoList' },
)

export const TrashedEvent = Type.Object(
  {
    id: Id,
    event_name: Type.String(),
    event_type: Type.String(),
    event_date: Nullable(Type.String()),
    customer_name: Nullable(Type.String()),
    is_draft: Type.Boolean(),
    is_archived: Type.Boolean(),
    photo_count: Type.Integer({ description: 'Number of photos and videos' }),
    video_count: Type.Integer(),
    total_size: Type.Integer({ description: 'Bytes of all originals, with those in the trash of the event' }),
    ...times,
  },
  { title: 'TrashedEvent' },
)
export type TrashedEvent = Static<typeof TrashedEvent>

export const TrashedEventList = Type.Object(
  { events: Type.Array(TrashedEvent, { description: 'Those moved last first' }), pagination: Pagination },
  { title: 'TrashedEventList' },
)
