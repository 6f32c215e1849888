import { type RawBuilder, sql } from 'kysely'

/** In a query: the number of the current version of a photo. `photoId`: a column or a value. */
export const currentVersion = (photoId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(max(photo_versions.number), 0) + 1 from photo_versions
    where photo_versions.photo_id = ${photoId})`
