import { type RawBuilder, sql } from 'kysely'

/** In a query: the number of the current version of a photo. `photoId`: a column or a value. */
export const currentVersion = (photoId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(max(photo_versions.number), 0) + 1 from photo_versions
    where photo_versions.photo_id = ${photoId})`

/** In a query of kept versions: the size of their files in bytes, with the stills of images; 0 without versions. */
export const sumOfVersionBytes = sql<number>`coalesce(sum(photo_versions.size_bytes
  + case when photo_versions.media_type = 'image' then coalesce(photo_versions.still_size_bytes, 0) else 0 end), 0)`
