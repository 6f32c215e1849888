import { type Static, Type } from 'typebox'
import { fileReplies } from '../shapes.ts'
import { GalleryFilterQuery } from './gallery.ts'

/** The operation, not this schema, validates the ids, so that invalid ids get the problem code INVALID_PHOTO_IDS. */
const PhotoIds = Type.String({
  maxLength: 16_384,
  description: 'Comma-separated ids of photos, at most 500',
  examples: ['1,2,3'],
})

export const DownloadSelectedQuery = Type.Object({ ids: Type.Optional(PhotoIds) })

export const DownloadSelectedBody = Type.Object({
  photo_ids: Type.Array(Type.Unknown(), { maxItems: 10_000, description: 'Ids of photos, at most 500' }),
})

export const DownloadEstimateQuery = Type.Object({
  ...GalleryFilterQuery.properties,
  ids: Type.Optional({ ...PhotoIds, description: 'As for a selection; without it all photos that pass the filters' }),
})

export const GalleryZip = fileReplies('application/zip', 'The ZIP: of known length, resumable by its ETag', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
  'X-Zip-Withheld',
])

export const DownloadEstimate = Type.Object({
  count: Type.Integer({ description: 'Photos in the ZIP' }),
  bytes: Type.Integer({ description: 'Its length; until it is ready a guess' }),
  ready: Type.Boolean({ description: 'It can be downloaded at once' }),
  ready_count: Type.Integer({ description: 'Photos of `count` whose files are made' }),
  missing: Type.Integer({ description: 'Photos left out because their files are missing' }),
  withheld: Type.Integer({ description: 'Photos left out because their category allows no downloads' }),
})
export type DownloadEstimate = Static<typeof DownloadEstimate>
