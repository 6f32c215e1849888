import { type Static, Type } from 'typebox'
import { ListedGuest } from './gallery/guests.ts'
import { PhotoRecord } from './photos.ts'
import { pickerModes } from './picker-modes.ts'
import { Id, Nullable, OneOf, TextParam, Timestamp, Whole } from './shapes.ts'

export const PickerQuery = Type.Object({
  picked_by: TextParam(4_000, 'Ids of guests, with commas in between: only photos that they have picked'),
  pickers: OneOf(pickerModes, {
    default: 'any',
    description: 'With `picked_by`: by `any` of them, by `all` of them, or by all of them and nobody else (`only`)',
  }),
  min_pickers: Type.Optional(Whole(1, 100_000, 'Only photos that so many guests have picked')),
})
export type PickerQuery = Static<typeof PickerQuery>

const SubmittedSelection = Type.Object({
  id: Id,
  number: Type.Integer({ description: 'Counted from 1 for each guest' }),
  count: Type.Integer({ description: 'Photos in it' }),
  note: Nullable(Type.String()),
  created_at: Timestamp,
  changed_count: Type.Integer({ description: 'Photos picked since, or picked no longer' }),
})

export const PickingGuest = Type.Object({
  ...ListedGuest.properties,
  pick_count: Type.Integer({
    description:
      'Photos that guests see and this one has picked: the favourites, or without any the likes and four stars',
  }),
  handed_in: Nullable(SubmittedSelection, { description: 'The last selection; null before the first' }),
})
export type PickingGuest = Static<typeof PickingGuest>

export const PickedPhoto = Type.Object({
  ...Type.Pick(PhotoRecord, [
    'id',
    'source_filename',
    'content_hash',
    'width',
    'height',
    'media_type',
    'thumbhash',
    'average_rating',
    'color_labels',
    'like_count',
    'favorite_count',
    'comment_count',
    'my_rating',
    'my_color_label',
  ]).properties,
  picked_by: Type.Array(Type.String(), { description: 'Ids of the guests, in the order of `guests`' }),
})
export type PickedPhoto = Static<typeof PickedPhoto>

export const PicksReply = Type.Object({
  photos: Type.Array(PickedPhoto, { description: 'All that anybody has picked, in the order of upload' }),
  guests: Type.Array(PickingGuest, { description: 'All who have left something, those seen last first' }),
})
export type PicksReply = Static<typeof PicksReply>
