import { type Static, Type } from 'typebox'
import { colorLabels, type ColorLabel as Label } from './color-labels.ts'
import { Id, Nullable, OneOf, OptionalNullable, Strict } from './shapes.ts'

export { colorLabels }
export type ColorLabel = Label
export const ColorLabel = OneOf(colorLabels, { title: 'ColorLabel' })

export const markSources = ['client', 'mine', 'either'] as const
export type MarkSource = (typeof markSources)[number]

const Stars = Type.Integer({ minimum: 1, maximum: 5 })

/** Missing keys are not changed; null clears a mark. */
export const MarkBody = Strict({ rating: OptionalNullable(Stars), color_label: OptionalNullable(OneOf(colorLabels)) })
export type MarkBody = Static<typeof MarkBody>

export const MarkReply = Type.Object({
  id: Id,
  my_rating: Nullable(Stars),
  my_color_label: Nullable(OneOf(colorLabels)),
})

export const feedbackKinds = ['rating', 'color_label', 'like', 'favorite', 'comment'] as const
export type FeedbackKind = (typeof feedbackKinds)[number]
