import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, Page, Pagination, Timestamp } from '../shapes.ts'

/** `locked`: the password or code was rejected unchecked, because too many attempts had failed before. */
export const activityOutcomes = ['done', 'locked'] as const
export type ActivityOutcome = (typeof activityOutcomes)[number]

export const activityVias = ['session', 'cookie', 'token', 'sign-in'] as const
export type ActivityVia = (typeof activityVias)[number]

export const ActivityRecord = Type.Object(
  {
    id: Id,
    at: Timestamp,
    action: Type.String({ description: 'The operationId of the request' }),
    outcome: OneOf(activityOutcomes),
    user: Nullable(Type.Object({ id: Id, username: Nullable(Type.String()) }), {
      description: 'Null for a locked sign-in with an unknown user name',
    }),
    via: OneOf(activityVias),
    token_id: Nullable(Id),
    address: Nullable(Type.String({ description: 'The network of the client: /24 for IPv4, /48 for IPv6' })),
    event: Nullable(Type.Object({ id: Id, event_name: Nullable(Type.String()) }), {
      description: '`event_name` is null if the event has been deleted',
    }),
    subject: Nullable(Type.String({ description: 'The kind of object in `subject_ids`: photo, category, user, …' })),
    subject_ids: Type.Array(Id, { description: 'The IDs of the objects; at most 100' }),
    count: Type.Integer({ description: 'Number of equal requests within a few seconds that this entry combines' }),
  },
  { title: 'Activity' },
)
export type ActivityRecord = Static<typeof ActivityRecord>

export const ListActivityQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  event_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 60, description: 'Only entries with this operationId' })),
  since: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only entries from this ISO-8601 time on' }),
  ),
})
export type ListActivityQuery = Static<typeof ListActivityQuery>

export const ActivityList = Type.Object(
  { activity: Type.Array(ActivityRecord), pagination: Pagination },
  { title: 'ActivityList' },
)
