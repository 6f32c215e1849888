import { computeTreeHash, type StoredPhotoFile } from '../photos/list-photo-files.ts'
import { renditionKey } from '../photos/photo-files.ts'
import type { Database } from '../platform/database/tables.ts'
import type { RenditionRow } from './rendition-rows.ts'

const renditionsPerPage = 1000

type RenditionPosition = Pick<RenditionRow, 'photo_id' | 'content_hash' | 'variant' | 'bound_px' | 'format'>

export async function* listRenditionFiles(db: Database): AsyncGenerator<StoredPhotoFile[], void> {
  let after: RenditionPosition | undefined
  for (;;) {
    const rows = await readPage(db, after)
    if (rows.length === 0) return
    yield rows.map(({ photo_id, event_id, filename, size_bytes, sha256 }) => ({
      photoId: photo_id,
      key: renditionKey(event_id, filename),
      sizeBytes: size_bytes,
      contentHash: computeTreeHash(sha256, size_bytes),
    }))
    after = rows.at(-1)
  }
}

function readPage(db: Database, after: RenditionPosition | undefined): Promise<RenditionRow[]> {
  const page = db
    .selectFrom('photo_renditions')
    .selectAll()
    .orderBy('photo_id')
    .orderBy('content_hash')
    .orderBy('variant')
    .orderBy('bound_px')
    .orderBy('format')
    .limit(renditionsPerPage)
  if (!after) return page.execute()
  const { photo_id, content_hash, variant, bound_px, format } = after
  return page
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('photo_id', 'content_hash', 'variant', 'bound_px', 'format'),
        '>',
        tuple(photo_id, content_hash, variant, bound_px, format),
      ),
    )
    .execute()
}

export async function countRenditionFiles(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('photo_renditions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
