import { Type } from 'typebox'
import { colorLabels } from '../../../contract/color-labels.ts'
import { Nullable, OneOf } from '../../../contract/shapes.ts'

const rating = Nullable(Type.Integer({ minimum: -1, maximum: 5 }))
const color = Nullable(OneOf(colorLabels))
const name = Type.String({ maxLength: 4_000 })
const time = Nullable(Type.String({ maxLength: 100 }))
const count = Type.Integer({ minimum: 0 })

/** The data of a photo that a sync needs. The service may not be the one that the operator expects. */
export const SyncablePhoto = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  source_filename: name,
  original_filename: name,
  size_bytes: count,
  content_hash: Type.String({ maxLength: 100 }),
  captured_at: time,
  uploaded_by: Type.String({ maxLength: 100 }),
  rating,
  color_label: color,
  my_rating: rating,
  my_color_label: color,
  client_marked_at: time,
  my_marked_at: time,
  favorite_count: count,
  like_count: count,
})
