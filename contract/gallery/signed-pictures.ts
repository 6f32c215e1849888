import { type Static, Type } from 'typebox'
import { photoSizeFields } from '../photos.ts'
import { Id, Nullable, OneOf, PageQuery, Pagination, TextParam, Timestamp, Whole } from '../shapes.ts'

/** Pixels. No wider picture has an address. */
export const signedWidths = [640, 1280, 1920] as const
export type SignedWidth = (typeof signedWidths)[number]

const secondsOfDay = 86_400

export const PictureAddressesQuery = Type.Object({
  ...PageQuery.properties,
  ids: TextParam(
    16_384,
    'Comma-separated photo IDs, at most 500, instead of a page. Photos that guests do not see are left out',
    '1,2,3',
  ),
  widths: Type.String({
    pattern: `^(${signedWidths.join('|')})(,(${signedWidths.join('|')})){0,2}$`,
    'x-pattern': `must be comma-separated widths from this list: ${signedWidths.join(', ')}`,
    default: '1280',
    description: `Comma-separated widths in pixels: ${signedWidths.join(', ')}. A picture is never wider than its original`,
    examples: ['640,1280,1920'],
  }),
  expires_in: Type.Integer({
    ...Whole(600, 7 * secondsOfDay, 'Seconds for which the addresses work; up to 5 minutes less'),
    default: secondsOfDay,
  }),
})
export type PictureAddressesQuery = Static<typeof PictureAddressesQuery>

const Address = Type.Optional(Type.String({ format: 'uri' }))

const PictureAddress = Type.Object(
  {
    photo_id: Id,
    original_filename: Type.String(),
    media_type: OneOf(['image', 'video'], { description: 'The picture of a video is its still' }),
    ...photoSizeFields,
    thumbhash: Nullable(Type.String()),
    urls: Type.Object(
      { 640: Address, 1280: Address, 1920: Address },
      { description: 'The addresses by the requested widths' },
    ),
  },
  { title: 'PictureAddress' },
)
export type PictureAddress = Static<typeof PictureAddress>

export const PictureAddresses = Type.Object(
  {
    pictures: Type.Array(PictureAddress),
    expires_at: Type.Unsafe<string>({ ...Timestamp, description: 'When the addresses end' }),
    pagination: Pagination,
  },
  { title: 'PictureAddresses', description: 'The signed addresses, in upload order or in the order of `ids`' },
)
export type PictureAddresses = Static<typeof PictureAddresses>
