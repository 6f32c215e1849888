import type { Database } from '../../platform/database/tables.ts'
import type { StoredFiles } from '../../settings/belongings.ts'
import { listStoredFiles } from '../list-photo-files.ts'
import { derivedKeys, downloadedKeys } from '../photo-files.ts'
import { selectKept } from './version-rows.ts'

const versionsPerBatch = 500

const selectAllKept = (db: Database) => db.selectFrom('photo_versions').where('deleted_at', 'is', null)

/** The files of earlier versions, ordered by photo and number. */
export const filesOfVersions: StoredFiles = {
  tables: ['photo_versions'],
  isInBackups: true,

  async keysOf(db, eventId) {
    const versions = await selectKept(db, eventId).selectAll().execute()
    return versions.flatMap((version) => [...downloadedKeys(version), ...derivedKeys(version)])
  },

  async *list(db) {
    let after = { photo_id: 0, number: 0 }
    for (;;) {
      const versions = await selectAllKept(db)
        .selectAll()
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('photo_id', 'number'), '>', tuple(after.photo_id, after.number)),
        )
        .orderBy('photo_id')
        .orderBy('number')
        .limit(versionsPerBatch)
        .execute()
      if (versions.length > 0)
        yield versions.flatMap((version) => listStoredFiles({ ...version, id: version.photo_id }))
      const last = versions.at(-1)
      if (!last || versions.length < versionsPerBatch) return
      after = last
    }
  },

  async count(db) {
    const { versions, thumbnails, stills } = await selectAllKept(db)
      .select(({ fn }) => [
        fn.countAll<number>().as('versions'),
        fn.count<number>('thumbnail_filename').as('thumbnails'),
        fn.count<number>('still_filename').as('stills'),
      ])
      .executeTakeFirstOrThrow()
    return Number(versions) + Number(thumbnails) + Number(stills)
  },

  async isNamed(db, { photoId, key }) {
    if (photoId === null) return false
    const versions = await selectAllKept(db).selectAll().where('photo_id', '=', photoId).execute()
    return versions.some((version) => [...downloadedKeys(version), ...derivedKeys(version)].includes(key))
  },
}
