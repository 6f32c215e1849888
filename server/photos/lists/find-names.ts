import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { visibleToGuests } from '../../events/visible-photos.ts'
import type { Database } from '../../platform/database/tables.ts'
import { isPostgres } from '../../platform/database/transaction.ts'
import { ListCache, type ListTotals } from './list-cache.ts'

/** The photos of an event whose names contain a text. */
export type FoundNames = {
  text: string
  count: number
  /** Null for more than 1,000 photos. */
  ids: readonly number[] | null
}

/** The names of all photos of an event in one text, and what was found in it. */
type NameIndex = { names: string; found: LRUCache<string, FoundNames> }

const maxIds = 1_000
const maxCachedBytes = 32 * 2 ** 20
const maxCachedSearches = 20
/** What the cached searches of an event take at most. */
const searchesBytes = maxCachedSearches * maxIds * 8

/** No name and no normalized search contains control characters, apart from the line break between two names. */
const recordStart = '\u0002'
const nameStart = '\u0001'

const caches = new WeakMap<Database, ListCache<NameIndex>>()

/**
 * Searches in memory, which takes a fraction of the time that the database needs. `text` must be normalized by
 * `normalizeSearch`, and `totals` read for the same request.
 */
export async function findNames(
  db: Database,
  eventId: number,
  { text, onlyVisible }: { text: string; onlyVisible: boolean },
  totals: Pick<ListTotals, 'version'>,
): Promise<FoundNames> {
  const { names, found } = await getCache(db).getOrLoad(totals, eventId, onlyVisible ? 'visible' : 'all', async () => ({
    names: await loadNames(db, eventId, onlyVisible),
    found: new LRUCache<string, FoundNames>({ max: maxCachedSearches }),
  }))
  const known = found.get(text) ?? search(names, text)
  found.set(text, known)
  return known
}

function getCache(db: Database): ListCache<NameIndex> {
  // Names with characters outside Latin-1 take two bytes for each character.
  const sizeOf = ({ names }: NameIndex) => 2 * names.length + searchesBytes
  const cache = caches.get(db) ?? new ListCache({ maxBytes: maxCachedBytes, sizeOf })
  caches.set(db, cache)
  return cache
}

/** As one text, because 100,000 rows would take longer to pass between threads. */
async function loadNames(db: Database, eventId: number, onlyVisible: boolean): Promise<string> {
  const record = sql<string>`${recordStart} || cast(id as text) || ${nameStart} || search_text`
  const joined = isPostgres(db)
    ? sql<string | null>`string_agg(${record}, '')`
    : sql<string | null>`group_concat(${record}, '')`
  const photos = db.selectFrom('photos').where('event_id', '=', eventId).select(joined.as('names'))
  const { names } = await (onlyVisible ? photos.where(visibleToGuests()) : photos).executeTakeFirstOrThrow()
  return names ?? ''
}

function search(names: string, text: string): FoundNames {
  const ids: number[] = []
  let count = 0
  for (let at = names.indexOf(text); at !== -1; ) {
    const start = names.lastIndexOf(recordStart, at)
    const name = names.indexOf(nameStart, start)
    // The text can also be a part of an id.
    if (at < name) {
      at = names.indexOf(text, name)
      continue
    }
    if (count++ < maxIds) ids.push(Number(names.slice(start + 1, name)))
    const next = names.indexOf(recordStart, at)
    at = next === -1 ? -1 : names.indexOf(text, next)
  }
  return { text, count, ids: count > maxIds ? null : ids }
}
