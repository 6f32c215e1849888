import { type Static, Type } from 'typebox'

export const OembedQuery = Type.Object({
  url: Type.String({ maxLength: 2_000, description: 'The whole link of a gallery' }),
  format: Type.Optional(Type.String({ maxLength: 20, description: '`json`, which is also what is sent without it' })),
  maxwidth: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  maxheight: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
})
export type OembedQuery = Static<typeof OembedQuery>

export const OembedReply = Type.Object({
  version: Type.Literal('1.0'),
  type: Type.Literal('photo'),
  title: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  cache_age: Type.Integer({ description: 'Seconds for which the answer may be kept' }),
  url: Type.String({ description: 'The cover, or the photo that the link names' }),
  width: Type.Integer({ description: 'What it is to be shown at: within what was asked for' }),
  height: Type.Integer(),
})
export type OembedReply = Static<typeof OembedReply>
