import { sql } from 'kysely'
import { originalKey, originalsPrefix } from '../photos/photo-files.ts'
import type { Tables } from '../platform/database/tables.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { MovedKind } from './moved-rows.ts'

type Place = { column: 'id' | 'slug_prefix'; tables: ReadonlyArray<keyof Tables> }

const byId = (...tables: Place['tables']): Place => ({ column: 'id', tables })

/** Where the rows of a kind are here. Those in the trash can be restored. */
const places: Readonly<Record<ComparedKind, Place>> = {
  account: byId('users'),
  token: byId('api_tokens'),
  webhook: byId('webhooks'),
  'event type': { column: 'slug_prefix', tables: ['event_types'] },
  category: byId('categories'),
  event: byId('events'),
  photo: byId('photos', 'trashed_photos'),
  guest: byId('guests'),
  feedback: byId('feedback', 'trashed_feedback'),
}

export type ComparedKind = Exclude<MovedKind, 'ids' | 'event id'>

const idsPerQuery = 500

/** Returns those of the given ids whose rows are here now. */
export async function findHere({ db }: AppContext, kind: ComparedKind, ids: readonly string[]): Promise<Set<string>> {
  const { column, tables } = places[kind]
  const here = new Set<string>()
  for (let start = 0; start < ids.length; start += idsPerQuery) {
    const some = ids.slice(start, start + idsPerQuery)
    const values = kind === 'guest' || column === 'slug_prefix' ? some : some.map(Number)
    for (const table of tables) {
      const { rows } = await sql<{ id: string | number }>`select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} in (${sql.join(values)})`.execute(db)
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
