import { type Static, Type } from 'typebox'
import { fileReplies, OneOf } from '../shapes.ts'
import { GalleryFilterQuery } from './gallery.ts'

/** The operation, not this schema, validates the ids, so that invalid ids get the problem code INVALID_PHOTO_IDS. */
const PhotoIds = Type.String({
  maxLength: 16_384,
  description: 'Comma-separated photo IDs, at most 500',
  examples: ['1,2,3'],
})

/** Options of each ZIP of a gallery. */
export const ZipOptions = Type.Object({
  w: Type.Optional(
    OneOf(['640', '1280', '1920', '2560'], {
      description:
        'Sends wider pictures as JPEG files of this width in pixels, made in the background; others and videos in full size. Without it, all are sent in full size. Operators always get the originals',
    }),
  ),
  folders: Type.Optional(
    OneOf(['category'], {
      description: 'Puts the photos of each category into a folder; without it, there are no folders',
    }),
  ),
})
export type ZipOptions = Static<typeof ZipOptions>

export const GalleryDownloadQuery = Type.Object({
  original: Type.Optional(
    OneOf(['true', 'false'], {
      description:
        '`true`: a RAW or HEIC file instead of the JPEG that stands for it, where the event allows it; no change for other photos',
    }),
  ),
})

export const DownloadAllQuery = Type.Object({ ...GalleryFilterQuery.properties, ...ZipOptions.properties })
export const DownloadSelectedQuery = Type.Object({ ids: Type.Optional(PhotoIds), ...ZipOptions.properties })

/** The operation validates the ids, as above; the schema bounds what it gets. */
const MaybeId = Type.Union([Type.Number(), Type.String({ maxLength: 16 })])

export const DownloadSelectedBody = Type.Object({
  photo_ids: Type.Array(MaybeId, { maxItems: 1_000, description: 'Photo IDs, at most 500' }),
})

export const DownloadEstimateQuery = Type.Object({
  ...GalleryFilterQuery.properties,
  ...ZipOptions.properties,
  ids: Type.Optional({
    ...PhotoIds,
    description: 'Comma-separated photo IDs, at most 500; if omitted, all photos that match the filters',
  }),
})

export const GalleryZip = fileReplies('application/zip', 'The ZIP, with its length and an ETag for resuming', [
  'Content-Disposition',
  'X-Zip-Photos',
  'X-Zip-Missing',
  'X-Zip-Withheld',
])

export const DownloadEstimate = Type.Object({
  count: Type.Integer({ description: 'Number of photos in the ZIP' }),
  video_count: Type.Integer({ description: 'How many photos of `count` are videos' }),
  bytes: Type.Integer({ description: 'Size of the ZIP; an estimate until it is ready' }),
  ready: Type.Boolean({ description: 'Whether the ZIP can be downloaded now' }),
  ready_count: Type.Integer({ description: 'Number of photos in `count` whose files are ready' }),
  missing: Type.Integer({ description: 'Number of photos left out because their files are missing' }),
  withheld: Type.Integer({ description: 'Number of photos left out because their category does not allow downloads' }),
  widths: Type.Array(Type.Integer(), {
    description: 'Values of `w` that make at least one picture smaller; none for operators',
  }),
})
export type DownloadEstimate = Static<typeof DownloadEstimate>
