import { type Static, type TSchema, Type } from 'typebox'
import { GalleryPhoto } from './gallery/gallery.ts'
import { PhotoRecord } from './photos.ts'
import { DescribedId, FailedFile, OneOf } from './shapes.ts'

/** The multipart body is streamed, so Fastify does not validate it; the code that reads the body does. */
export const UploadPhotosForm = Type.Object(
  {
    photos: Type.Array(Type.String({ format: 'binary', contentMediaType: 'image/*' }), {
      minItems: 1,
      maxItems: 50,
      description: 'Images, each sent with its file name; repeat the field for each image',
    }),
    category_id: Type.Optional(DescribedId('A category of this event, or a global one; not available to guests')),
  },
  { 'x-streamed': true },
)

export type { FailedFile } from './shapes.ts'

const Uploaded = <T extends TSchema>(photo: T) =>
  Type.Object({
    success: Type.Boolean({ description: 'Whether all files have become photos' }),
    uploaded: Type.Integer(),
    photos: Type.Array(photo),
    failed: Type.Array(FailedFile),
  })

/** 201: every file became a photo; 207: some did. If none did, the response is a problem. */
const uploadedReplies = <T extends TSchema>(photo: T) => ({ 201: Uploaded(photo), 207: Uploaded(photo) })

export const uploadedPhotos = uploadedReplies(PhotoRecord)

/** A hidden upload waits for approval. Until then, guests see it only in the response to the upload. */
export const GuestUpload = Type.Object({ ...GalleryPhoto.properties, visibility: OneOf(['visible', 'hidden']) })
export type GuestUpload = Static<typeof GuestUpload>

export const guestUploads = uploadedReplies(GuestUpload)
