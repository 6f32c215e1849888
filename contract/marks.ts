import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, Strict } from './shapes.ts'

/** Exactly these; ties of `dominant_color_label` go green, yellow, red, blue, purple (decisions §3). */
export const colorLabels = ['red', 'yellow', 'green', 'blue', 'purple'] as const
export type ColorLabel = (typeof colorLabels)[number]
export const ColorLabel = OneOf(colorLabels, { title: 'ColorLabel' })

export const markSources = ['client', 'mine', 'either'] as const
export type MarkSource = (typeof markSources)[number]

const Stars = Type.Integer({ minimum: 1, maximum: 5 })

/** The operator's own mark; a key left out stays as it is, null clears. */
export const MarkBody = Strict({
  rating: Type.Optional(Nullable(Stars)),
  color_label: Type.Optional(Nullable(OneOf(colorLabels))),
})
export type MarkBody = Static<typeof MarkBody>

export const MarkReply = Type.Object({
  id: Id,
  my_rating: Nullable(Stars),
  my_color_label: Nullable(OneOf(colorLabels)),
})

export const feedbackKinds = ['rating', 'color_label', 'like', 'favorite', 'comment'] as const
export type FeedbackKind = (typeof feedbackKinds)[number]
