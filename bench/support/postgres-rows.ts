import pg from 'pg'

const colors = ['red', 'yellow', 'green', 'blue', 'purple']

/** A deterministic pseudo-random order. */
const scattered = '(photos.id * 7919 % 100003)'

/**
 * Adds `count` copies of the first photo to each event, scattered and marked as in `scatterPhotos` and `addMarkRows`.
 */
export async function fillEvents(client: pg.Client, eventIds: readonly number[], count: number): Promise<void> {
  const columns = await columnsOf(client, 'photos')
  const copied = columns.filter((name) => name !== 'id')
  const values = copied.map((name) => (name === 'filename' ? filenameOf : `first.${name}`))
  await client.query(
    `insert into photos (${copied.join(', ')}) select ${values.join(', ')}
     from (select distinct on (event_id) * from photos where event_id = any($1) order by event_id, id) first, generate_series(1, $2::int) number
     order by first.event_id, number`,
    [eventIds, count],
  )
  await client.query(`update photos set ${scatteredValues} where event_id = any($1)`, [eventIds])
  await client.query(
    `insert into photo_marks (photo_id, event_id, uploaded_at, ${Object.keys(guestMarks).join(', ')})
     select id, event_id, uploaded_at, ${Object.values(guestMarks).join(', ')} from photos
     where event_id = any($1) and id * 7919 % 100 < 30`,
    [eventIds],
  )
  await client.query(
    `insert into account_marks (photo_id, event_id, uploaded_at, user_id, rating, color_label, updated_at)
     select id, event_id, uploaded_at, (select min(id) from users), ${ownRating}, ${ownColor}, 1 from photos
     where event_id = any($1) and id * 7919 % 100 between 25 and 34`,
    [eventIds],
  )
  await client.query(
    `update event_photo_totals totals set photo_count = photos.count, visible_count = photos.visible, total_size = photos.size
     from (select event_id, count(*) count, count(*) filter (where visibility = 'visible') visible, sum(size_bytes) size
       from photos where event_id = any($1) group by event_id) photos where totals.event_id = photos.event_id`,
    [eventIds],
  )
}

/** Creates `count` copies of an event with its first photo. Resolves with the ids of the copies. */
export async function copyEvents(client: pg.Client, eventId: number, count: number): Promise<number[]> {
  const events = (await columnsOf(client, 'events')).filter((name) => name !== 'id')
  const asCopied = (name: string) => (name === 'slug' ? "slug || '-' || number" : name)
  const { rows } = await client.query<{ id: string }>(
    `insert into events (${events.join(', ')}) select ${events.map(asCopied).join(', ')}
     from events, generate_series(1, $2::int) number where id = $1 returning id`,
    [eventId, count],
  )
  const ids = rows.map(({ id }) => Number(id))
  const photos = (await columnsOf(client, 'photos')).filter((name) => name !== 'id')
  const ofCopy = (name: string) => (name === 'event_id' ? 'copy' : name)
  await client.query(
    `insert into photos (${photos.join(', ')}) select ${photos.map(ofCopy).join(', ')}
     from (select * from photos where event_id = $1 order by id limit 1) first, unnest($2::bigint[]) copy`,
    [eventId, ids],
  )
  await client.query(
    'insert into event_photo_totals (event_id, photo_count, visible_count, total_size) select *, 1, 1, 1 from unnest($1::bigint[])',
    [ids],
  )
  return ids
}

export async function inDatabase<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  return use(client).finally(() => client.end())
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_name = $1 and table_schema = 'public' order by ordinal_position",
    [table],
  )
  return rows.map(({ name }) => name)
}

const filenameOf = "(1700000000000 + number)::text || '_' || lpad(to_hex(number), 8, '0') || '.jpg'"

const scatteredValues = `
  uploaded_at = uploaded_at + 1000 * id,
  name_sort = 'img_' || lpad(length(${scattered}::text)::text, 3, '0') || ${scattered} || chr(1) || '.jpg',
  search_text = filename || chr(10) || 'img_' || ${scattered} || '.jpg',
  size_bytes = 5000000 + ${scattered},
  captured_at = case when id % 10 <> 0 then 1700000000000 + ${scattered} * 1000 end,
  category_id = case when id % 3 = 0 then (select min(id) from categories) end,
  visibility = case when id % 50 = 49 then 'hidden' else 'visible' end`

const ratings = '(case when id / 3 % 3 = 0 then 0 else 1 + id / 3 % 4 end)'
const ratingSum = `(${ratings} * (1 + id / 3 % 4) + (case when ${ratings} > 1 then 1 else 0 end))`
const color = '(case when id / 3 % 3 = 1 then -1 else id / 3 % 5 end)'
const labels = `(case when ${color} = -1 then 0 else 1 + id / 3 % 2 end)`

const guestMarks = {
  rating_sum: ratingSum,
  rating_count: ratings,
  average_hundredths: `(case when ${ratings} = 0 then 0 else round(100.0 * ${ratingSum} / ${ratings}) end)`,
  label_mask: `(case when ${color} = -1 then 0 else 1 << ${color}::int end)`,
  ...Object.fromEntries(
    colors.map((name, number) => [name, `(case when ${color} = ${number} then ${labels} else 0 end)`]),
  ),
  like_count: '0',
  favorite_count: '0',
  comment_count: '0',
  feedback_count: `greatest(${ratings}, ${labels})`,
  marked_at: '1',
}
const ownRating = '(case when id / 3 % 3 = 0 then null else 1 + id / 21 % 5 end)'
const ownColor = `(case when id / 3 % 3 = 1 then null else (array[${colors.map((name) => `'${name}'`)}])[1 + id / 21 % 5] end)`
