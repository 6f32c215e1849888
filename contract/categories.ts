import { type Static, Type } from 'typebox'
import { Id, NotBlank, Nullable, OptionalNullable, Strict, Timestamp } from './shapes.ts'

export const CategoryRecord = Type.Object({
  id: Id,
  name: Type.String(),
  slug: Type.String(),
  is_global: Type.Boolean(),
  event_id: Nullable(Id),
  allow_downloads: Type.Boolean(),
  sort_order: Type.Integer(),
  photo_count: Type.Integer(),
  created_at: Timestamp,
})
export type CategoryRecord = Static<typeof CategoryRecord>

const Name = NotBlank(100)
const SortOrder = Type.Integer({ minimum: 0, maximum: 1_000_000 })

export const CreateCategoryBody = Type.Object({
  name: Name,
  event_id: OptionalNullable(Id),
  is_global: Type.Optional(Type.Boolean()),
  allow_downloads: Type.Optional(Type.Boolean()),
  sort_order: Type.Optional(SortOrder),
})
export type CreateCategoryBody = Static<typeof CreateCategoryBody>

/** A category of the event in the path. */
export const CreateEventCategoryBody = Type.Omit(CreateCategoryBody, ['event_id', 'is_global'], {
  title: 'CreateEventCategory',
})

export const ChangeCategoryBody = Strict({
  name: Type.Optional(Name),
  allow_downloads: Type.Optional(Type.Boolean()),
  sort_order: Type.Optional(SortOrder),
})
export type ChangeCategoryBody = Static<typeof ChangeCategoryBody>

export const OrderCategoriesBody = Type.Object({
  category_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: 1_000,
    description: 'All categories of the event, each once, in the order that they are to have; no global ones',
  }),
})
