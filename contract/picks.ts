import { type Static, Type } from 'typebox'
import { ListedGuest } from './gallery/guests.ts'
import { PhotoRecord } from './photos.ts'
import { pickerModes } from './picker-modes.ts'
import { Id, Nullable, OneOf, TextParam, Timestamp, Whole } from './shapes.ts'

export const PickerQuery = Type.Object({
  picked_by: TextParam(4_000, 'Comma-separated guest IDs: only photos that these guests have picked, see `pickers`'),
  pickers: OneOf(pickerModes, {
    default: 'any',
    description:
      'With `picked_by`: photos that `any` of the guests have picked, that `all` of them have, or that all of them and no others have (`only`)',
  }),
  min_pickers: Type.Optional(Whole(1, 100_000, 'Only photos that at least this many guests have picked')),
})
export type PickerQuery = Static<typeof PickerQuery>

const SubmittedSelection = Type.Object({
  id: Id,
  number: Type.Integer({ description: 'The number of the selection, counted from 1 for each guest' }),
  count: Type.Integer({ description: 'Number of photos in the selection' }),
  video_count: Type.Integer({ description: 'How many photos of `count` are videos; deleted ones are not counted' }),
  note: Nullable(Type.String()),
  round: Nullable(Type.Integer(), { description: 'The number of the round; null without a package' }),
  created_at: Timestamp,
  done_at: Nullable(Timestamp, { description: 'When it was marked as done; null while it is open' }),
  changed_count: Type.Integer({ description: 'Number of photos that the guest has picked or unpicked since' }),
})

export const PickingGuest = Type.Object({
  ...ListedGuest.properties,
  pick_count: Type.Integer({
    description:
      'Number of photos that the guest has picked, also of hidden ones: favorites, or without visible favorites likes and ratings of four stars or more',
  }),
  handed_in: Nullable(SubmittedSelection, { description: 'The last submitted selection; null before the first' }),
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
    'visibility',
    'average_rating',
    'color_labels',
    'like_count',
    'favorite_count',
    'comment_count',
    'my_rating',
    'my_color_label',
  ]).properties,
  picked_by: Type.Array(Type.String(), { description: 'IDs of the guests, in the order of `guests`' }),
})
export type PickedPhoto = Static<typeof PickedPhoto>

export const PicksReply = Type.Object({
  photos: Type.Array(PickedPhoto, { description: 'All picked photos, in upload order' }),
  guests: Type.Array(PickingGuest, {
    description: 'All guests with feedback, a name or a selection; the most recently seen first',
  }),
  has_package: Type.Boolean({ description: 'Guests pick by a package, in rounds' }),
  erased_selection_count: Type.Integer({
    description: 'Number of submitted selections of guests who were erased; they are not in `guests`',
  }),
})
export type PicksReply = Static<typeof PicksReply>
