import { Type } from 'typebox'
import { MarkFilterQuery } from './photos.ts'
import { fileReplies } from './shapes.ts'

/** The operation validates the ids, because they have their own error code INVALID_PHOTO_IDS. */
export const DownloadPhotosQuery = Type.Object({
  ...MarkFilterQuery.properties,
  ids: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description: 'Comma-separated ids of photos, at most 500; without it all photos that pass the filters',
      examples: ['1,2,3'],
    }),
  ),
})

export const PhotosZip = fileReplies('application/zip', 'The ZIP: of known length, resumable by its ETag', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
])
