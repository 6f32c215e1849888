import { type Static, Type } from 'typebox'
import { ActivityRecord } from './activity.ts'
import { Id, Nullable, OneOf, Timestamp } from './shapes.ts'

const Count = (description: string) => Type.Integer({ description })

/** The counts of one day. Days without activity are included. */
const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'UTC' }),
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
      live: Count('Published, and their time is not over'),
      expired: Type.Integer(),
      archived: Type.Integer(),
    }),
    photos: Type.Object({
      total: Count('Videos included'),
      videos: Type.Integer(),
      processing: Count('Videos whose still is being made'),
      failed: Count('Videos that could not be read'),
      size_bytes: Count('Of all originals'),
    }),
    visits: Type.Object({ views: Type.Integer(), downloads: Type.Integer() }),
    feedback: Type.Object(
      {
        marked_photos: Count('Photos that carry any of these'),
        ratings: Type.Integer(),
        color_labels: Type.Integer(),
        likes: Type.Integer(),
        favorites: Type.Integer(),
        comments: Type.Integer(),
        comments_waiting: Count('Comments that nobody has approved or hidden yet'),
      },
      { description: 'As it stands: visible feedback alone' },
    ),
    waiting: Type.Array(
      Type.Object({
        id: Id,
        event_name: Type.String(),
        comments: Count('Comments that nobody has approved or hidden yet'),
        guest_uploads: Count('Uploads of guests that nobody has shown or hidden yet'),
      }),
      { description: 'Events in which something waits for a decision; at most 10' },
    ),
    selections: Type.Array(
      Type.Object({
        event: Type.Object({ id: Id, event_name: Type.String() }),
        guest_name: Nullable(Type.String()),
        photo_count: Type.Integer(),
        created_at: Timestamp,
      }),
      { description: 'The last one that each guest submitted within 14 days, the latest first; at most 10' },
    ),
    expiring_soon: Type.Array(
      Type.Object({ id: Id, slug: Type.String(), event_name: Type.String(), expires_at: Timestamp }),
      { description: 'Live events that expire within 14 days, the next ones first; at most 10' },
    ),
    days: Type.Array(Day, { description: 'The last 30 or 90 days, today the last of them' }),
    activity: Type.Array(ActivityRecord, { description: 'The latest, as in the activity log; at most 10' }),
  },
  { title: 'Dashboard' },
)
export type Dashboard = Static<typeof Dashboard>

export const DashboardQuery = Type.Object({
  days: OneOf(['30', '90'], { default: '30', description: 'How many days the series has' }),
})
