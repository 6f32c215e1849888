import { sql } from 'kysely'
import { originalKey, originalsPrefix } from '../photos/photo-files.ts'
import type { Tables } from '../platform/database/tables.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { MovedKind } from './moved-rows.ts'

/** `id`: SQL of the id that `moved_rows` has. */
type Place = { id: string; isText?: true; tables: ReadonlyArray<keyof Tables> }

/** Where the rows of a kind are here. Those in the trash can be restored. */
const places: Readonly<Record<ComparedKind, Place>> = {
  account: { id: 'id', tables: ['users'] },
  token: { id: 'id', tables: ['api_tokens'] },
  webhook: { id: 'id', tables: ['webhooks'] },
  'event type': { id: 'slug_prefix', isText: true, tables: ['event_types'] },
  category: { id: 'id', tables: ['categories'] },
  event: { id: 'id', tables: ['events'] },
  photo: { id: 'id', tables: ['photos', 'trashed_photos'] },
  guest: { id: 'id', isText: true, tables: ['guests'] },
  feedback: { id: 'id', tables: ['feedback', 'trashed_feedback'] },
  customer: { id: 'id', tables: ['customers'] },
  assignment: { id: "customer_id || ' ' || event_id", isText: true, tables: ['customer_events'] },
}

export type ComparedKind = Exclude<MovedKind, 'ids' | 'event id'>

const idsPerQuery = 500

/** Returns those of the given ids whose rows are here now. */
export async function findHere({ db }: AppContext, kind: ComparedKind, ids: readonly string[]): Promise<Set<string>> {
  const { id: idSql, isText = false, tables } = places[kind]
  const here = new Set<string>()
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const some = ids.slice(start, start + idsPerQuery)
    const values = isText ? some : some.map(Number)
    for (const table of tables) {
      const { rows } = await sql<{ id: string | number }>`select ${sql.raw(idSql)} as id from ${sql.table(table)}
        where ${sql.raw(idSql)} in (${sql.join(values)})`.execute(db)
      for (const { id } of rows) here.add(String(id))
    }
  }
  return here
}

/** Returns those of the photos whose original is in the storage with the size that their row has. */
export async function findOriginals(ctx: AppContext, photoIds: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const stored = new Map<number, Map<string, number>>()
  for (let start = 0; start < photoIds.length; start += idsPerQuery) {
    const ids = photoIds.slice(start, start + idsPerQuery).map(Number)
    for (const { id, event_id, filename, size_bytes } of await selectPhotos(ctx, ids)) {
      const sizes = stored.get(event_id) ?? (await listSizes(ctx, event_id))
      stored.set(event_id, sizes)
      if (sizes.get(originalKey(event_id, filename)) === Number(size_bytes)) found.add(String(id))
    }
  }
  return found
}

function selectPhotos({ db }: AppContext, ids: readonly number[]) {
  const select = (table: 'photos' | 'trashed_photos') =>
    db.selectFrom(table).select(['id', 'event_id', 'filename', 'size_bytes']).where('id', 'in', ids)
  return select('photos').unionAll(select('trashed_photos')).execute()
}

async function listSizes({ storage }: AppContext, eventId: number): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, sizeBytes } of storage.list(originalsPrefix(eventId))) sizes.set(key, sizeBytes)
  return sizes
}
