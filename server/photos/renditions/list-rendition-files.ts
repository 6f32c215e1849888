import { sql } from 'kysely'
import type { Database } from '../../platform/database/tables.ts'
import { computeTreeHash } from '../../platform/storage/content-digest.ts'
import type { StoredFile, StoredFiles } from '../../settings/belongings.ts'
import { renditionKey } from '../photo-files.ts'
import type { RenditionRow } from './rendition-rows.ts'

const renditionsPerPage = 1000

const keyColumns = ['photo_id', 'content_hash', 'variant', 'bound_px', 'format'] as const satisfies Array<
  keyof RenditionRow
>

export const filesOfRenditions: StoredFiles = {
  tables: ['photo_renditions'],
  isInBackups: false,
  keysOf: listKeys,
  list: listRenditionFiles,
  count: countRenditionFiles,
  // It can be made again, so a missing file is not lost.
  isNamed: async () => false,
}

async function listKeys(db: Database, eventId: number): Promise<string[]> {
  const renditions = db.selectFrom('photo_renditions').select('filename').where('event_id', '=', eventId)
  return (await renditions.execute()).map(({ filename }) => renditionKey(eventId, filename))
}

async function* listRenditionFiles(db: Database): AsyncGenerator<StoredFile[], void> {
  const key = sql.join(keyColumns.map((column) => sql.ref(column)))
  const first = db.selectFrom('photo_renditions').selectAll().orderBy(sql`${key}`).limit(renditionsPerPage)
  let page = first
  for (;;) {
    const rows = await page.execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(({ photo_id, event_id, filename, size_bytes, sha256 }) => ({
      photoId: photo_id,
      key: renditionKey(event_id, filename),
      sizeBytes: size_bytes,
      contentHash: computeTreeHash(sha256, size_bytes),
    }))
    page = first.where(sql<boolean>`(${key}) > (${sql.join(keyColumns.map((column) => last[column]))})`)
  }
}

async function countRenditionFiles(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('photo_renditions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
