import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, Timestamp } from '../shapes.ts'
import { ActRecord } from './acts.ts'

const Count = (description: string) => Type.Integer({ description })

/** The counts of one day. Days without activity are included. */
const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in UTC' }),
    uploads: Type.Integer(),
    upload_bytes: Type.Integer(),
    views: Type.Integer(),
    downloads: Type.Integer(),
    ratings: Type.Integer(),
    color_labels: Type.Integer(),
    likes: Type.Integer(),
    favorites: Type.Integer(),
    comments: Type.Integer(),
  },
  { title: 'DashboardDay' },
)

export const Dashboard = Type.Object(
  {
    events: Type.Object({
      total: Type.Integer(),
      draft: Type.Integer(),
      live: Count('Number of published events whose gallery is open'),
      expired: Type.Integer(),
      archived: Type.Integer(),
    }),
    photos: Type.Object({
      total: Count('Includes videos'),
      videos: Type.Integer(),
      processing: Count('Videos that are being processed'),
      failed: Count('Videos that could not be processed'),
      size_bytes: Count('Total size of the originals, with those of earlier versions'),
    }),
    visits: Type.Object({ views: Type.Integer(), downloads: Type.Integer() }),
    feedback: Type.Object(
      {
        marked_photos: Count('Number of photos with any of this feedback'),
        ratings: Type.Integer(),
        color_labels: Type.Integer(),
        likes: Type.Integer(),
        favorites: Type.Integer(),
        comments: Type.Integer(),
        comments_waiting: Count('Number of comments to review'),
      },
      { description: 'Current totals; only visible feedback counts' },
    ),
    waiting: Type.Array(
      Type.Object({
        id: Id,
        event_name: Type.String(),
        comments: Count('Number of comments to review'),
        guest_uploads: Count('Number of guest uploads to review'),
        notes: Count('Number of private notes, pins and boxes of guests that are not marked as done'),
      }),
      { description: 'Events with comments or guest uploads to review, or with open requests; at most 10' },
    ),
    selections: Type.Array(
      Type.Object({
        id: Id,
        event: Type.Object({ id: Id, event_name: Type.String() }),
        guest_name: Nullable(Type.String()),
        photo_count: Type.Integer(),
        round: Nullable(Type.Integer(), { description: 'The number of the round; null without a package' }),
        is_reopening_asked: Type.Boolean({ description: 'The guest asks to open the round again' }),
        created_at: Timestamp,
      }),
      {
        description:
          'Submitted selections that are not marked as done, the last one of each guest, newest first; at most 10',
      },
    ),
    expiring_soon: Type.Array(
      Type.Object({ id: Id, slug: Type.String(), event_name: Type.String(), expires_at: Timestamp }),
      { description: 'Live events that expire within 14 days, soonest first; at most 10' },
    ),
    days: Type.Array(Day, { description: 'The last 30 or 90 days, ending today' }),
    acts: Type.Object(
      { guests: Type.Array(ActRecord), accounts: Type.Array(ActRecord) },
      { description: 'What guests and accounts did last, at most 10 entries each, without sign-ins' },
    ),
  },
  { title: 'Dashboard' },
)
export type Dashboard = Static<typeof Dashboard>

export const DashboardQuery = Type.Object({
  days: OneOf(['30', '90'], { default: '30', description: 'Number of days in `days`' }),
})
