import { type Static, Type } from 'typebox'
import { Id, NotBlank, Nullable, Timestamp } from '../shapes.ts'
import { versionRange } from './decisions.ts'

export const VersionNumber = Type.Integer({ ...versionRange, description: 'Counted from 1 for each photo' })

export const VersionNote = NotBlank(500, { description: 'What has changed in this version; guests read it' })

const versionFields = {
  number: VersionNumber,
  is_current: Type.Boolean({ description: 'The version that lists and downloads have' }),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  note: Nullable(Type.String(), { description: 'What the photographer wrote about this version' }),
  from_at: Timestamp,
}

export const VersionList = Type.Object(
  {
    photo_id: Id,
    versions: Type.Array(
      Type.Object({
        ...versionFields,
        until_at: Nullable(Timestamp, { description: 'When the next version came; null for the current one' }),
        filename: Type.String(),
        original_filename: Type.String(),
        size_bytes: Type.Integer(),
        content_hash: Type.String(),
        deleted_at: Nullable(Timestamp, { description: 'When the file of an earlier version was deleted' }),
      }),
      { description: 'The oldest first' },
    ),
  },
  { title: 'VersionList' },
)
export type VersionList = Static<typeof VersionList>

/** The multipart body is streamed, so it is validated by the operation and not by the schema. */
export const AddVersionForm = Type.Object(
  {
    photo: Type.String({ format: 'binary', contentMediaType: 'image/*', description: 'One image with its file name' }),
    note: Type.Optional(VersionNote),
  },
  { 'x-streamed': true },
)

export const VersionTotals = Type.Object(
  {
    count: Type.Integer({ description: 'Earlier versions that are kept' }),
    size_bytes: Type.Integer({ description: 'The size of their files, which `total_size` of the event does not have' }),
  },
  { title: 'VersionTotals' },
)

export const DeletedVersions = Type.Object({
  success: Type.Literal(true),
  deleted: Type.Integer({ description: 'How many versions were deleted' }),
})
