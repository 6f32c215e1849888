import { type CompiledQuery, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { createKeyLookups } from './key-lookups.ts'
import { openConnection } from './sqlite-connection.ts'

type Query = { compile: () => CompiledQuery }
type Tables = {
  galleries: { id: number; slug: string; owner: number; title: string }
  visits: { gallery_id: number; guest: string; count: number }
}

/** Only builds queries and never runs them. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const connection = openConnection({ file: ':memory:', readonly: false })
connection.run('create table galleries (id integer primary key, slug text unique, owner integer, title text)', [])
connection.run('create index galleries_by_owner on galleries (owner, title)', [])
connection.run(
  'create table visits (gallery_id integer, guest text, count integer, primary key (gallery_id, guest))',
  [],
)
const { isKeyLookup } = createKeyLookups(connection)

const galleries = db.selectFrom('galleries').selectAll()
const visits = db.selectFrom('visits').selectAll()
const visitsWithGallery = db.selectFrom('visits').leftJoin('galleries', 'galleries.id', 'visits.gallery_id')

const lookUps: Array<[string, Query]> = [
  ['by rowid', galleries.where('id', '=', 1)],
  ['by a unique column', galleries.where('slug', '=', 'a')],
  ['by all columns of a unique index', visits.where('gallery_id', '=', 1).where('guest', '=', 'a')],
  [
    'by key, with a left join by id',
    visitsWithGallery.select(['count', 'title']).where('visits.gallery_id', '=', 1).where('guest', '=', 'a'),
  ],
  [
    'by key, with an inner join by id',
    db
      .selectFrom('visits')
      .innerJoin('galleries as gallery', 'gallery.id', 'visits.gallery_id')
      .select('gallery.title')
      .where('visits.gallery_id', '=', 1)
      .where('guest', '=', 'a'),
  ],
]

const others: Array<[string, Query]> = [
  ['of a whole table', galleries],
  ['by an index that is not unique', galleries.where('owner', '=', 1)],
  ['by some columns of a unique index', visits.where('gallery_id', '=', 1)],
  ['by a range of keys', galleries.where('id', '>', 1)],
  ['by a list of keys', galleries.where('id', 'in', [1, 2, 3])],
  ['by one key or another', galleries.where((row) => row.or([row('id', '=', 1), row('id', '=', 2)]))],
  ['by keys that another query finds', galleries.where('id', 'in', db.selectFrom('visits').select('gallery_id'))],
  ['in an order', galleries.where('owner', '=', 1).orderBy('title')],
  ['for the first in order', galleries.orderBy('id').limit(1)],
  ['that counts', db.selectFrom('galleries').select(db.fn.countAll().as('count')).where('owner', '=', 1)],
  ['joined to many rows', visitsWithGallery.select('title').where('galleries.owner', '=', 1)],
]

test('a query for one row by its key is a look-up, others are not', () => {
  for (const [name, query] of lookUps) expect(isKeyLookup(query.compile().sql), name).toBe(true)
  for (const [name, query] of others) expect(isKeyLookup(query.compile().sql), name).toBe(false)
})
