import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const activity: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const dayMs = 86_400_000

const counted = ['uploads', 'upload_bytes', 'views', 'downloads']
const marked = {
  ratings: 'rating',
  color_labels: 'color_label',
  likes: 'like',
  favorites: 'favorite',
  comments: 'comment',
}
const columns = [...counted, ...Object.keys(marked)]

const statements = [
  // Contains only ids and our own words. Accounts and events may be deleted when it is read.
  `create table activity (
    id integer primary key autoincrement,
    at bigint not null, action text not null, outcome text not null,
    user_id integer, token_id integer, via text not null, address text,
    event_id integer, subject text, subject_ids text not null, count integer not null)`,
  'create index activity_by_event on activity (event_id, id)',
  'create index activity_by_user on activity (user_id, id)',
  'create index activity_by_action on activity (action, id)',
  'create index activity_by_time on activity (at)',

  // One row for each event and day (counted from 1970, UTC) on which anything was counted.
  `create table event_days (
    event_id integer not null references events (id) on delete cascade,
    day integer not null,
    ${columns.map((name) => `${name} bigint not null`).join(', ')},
    primary key (event_id, day))`,
  'create index event_days_by_day on event_days (day)',
  // Earlier views and downloads were counted without their day.
  `insert into event_days (event_id, day, ${columns.join(', ')})
    select event_id, day, ${columns.map((name) => `sum(${name})`).join(', ')} from (
      select event_id, uploaded_at / ${dayMs} as day, 1 as uploads, size_bytes as upload_bytes, 0 as views,
        0 as downloads, ${Object.keys(marked)
          .map((name) => `0 as ${name}`)
          .join(', ')} from photos
      union all
      select event_id, created_at / ${dayMs}, 0, 0, 0, 0,
        ${Object.values(marked)
          .map((kind) => `case when kind = '${kind}' then 1 else 0 end`)
          .join(', ')} from feedback
    ) as former group by event_id, day`,

  // Few of all photos; the dashboard counts them.
  `create index photos_that_are_videos on photos (event_id) where media_type = 'video'`,
  `create index photos_not_ready on photos (processing_status, event_id) where processing_status <> 'ready'`,
]
