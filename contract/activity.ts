import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, Page, Pagination, Timestamp } from './shapes.ts'

/** `locked`: the password or code was rejected unchecked, because too many attempts had failed before. */
export const activityOutcomes = ['done', 'locked'] as const
export type ActivityOutcome = (typeof activityOutcomes)[number]

export const activityVias = ['session', 'cookie', 'token', 'sign-in'] as const
export type ActivityVia = (typeof activityVias)[number]

export const ActivityRecord = Type.Object(
  {
    id: Id,
    at: Timestamp,
    action: Type.String({ description: 'The operationId of the call' }),
    outcome: OneOf(activityOutcomes),
    user: Nullable(Type.Object({ id: Id, username: Nullable(Type.String()) }), {
      description: 'Null for a locked sign-in under a name that nobody has',
    }),
    via: OneOf(activityVias),
    token_id: Nullable(Id),
    address: Nullable(Type.String({ description: 'The network it came from: a /24 of IPv4, a /48 of IPv6' })),
    event: Nullable(Type.Object({ id: Id, event_name: Nullable(Type.String()) }), {
      description: 'The name is null when the event is gone',
    }),
    subject: Nullable(Type.String({ description: 'What the ids are of: photo, category, user, …' })),
    subject_ids: Type.Array(Id, { description: 'At most 100 of them' }),
    count: Type.Integer({ description: 'How many such calls within some seconds this row stands for' }),
  },
  { title: 'Activity' },
)
export type ActivityRecord = Static<typeof ActivityRecord>

export const ListActivityQuery = Type.Object({
  page: Page,
  limit: Limit(50, 100),
  event_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
  action: Type.Optional(Type.String({ maxLength: 60, description: 'An operationId' })),
  since: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'ISO-8601: nothing before it' })),
})
export type ListActivityQuery = Static<typeof ListActivityQuery>

export const ActivityList = Type.Object(
  { activity: Type.Array(ActivityRecord), pagination: Pagination },
  { title: 'ActivityList' },
)
