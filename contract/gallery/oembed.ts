import { type Static, Type } from 'typebox'

export const OembedQuery = Type.Object({
  url: Type.String({ maxLength: 2_000, description: 'The complete link of a gallery' }),
  format: Type.Optional(Type.String({ maxLength: 20, description: 'Only `json`, the default, is supported' })),
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
  cache_age: Type.Integer({ description: 'Number of seconds for which the response can be cached' }),
  url: Type.String({ description: 'The cover, or the photo in the link' }),
  width: Type.Integer({ description: 'The display width; width and height stay within `maxwidth` and `maxheight`' }),
  height: Type.Integer(),
})
export type OembedReply = Static<typeof OembedReply>
