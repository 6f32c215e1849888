import { type Static, Type } from 'typebox'
import { guestActs } from '../gallery/guest-acts.ts'
import { Id, Limit, Nullable, OneOf, Page, PageQuery, Pagination, Timestamp } from '../shapes.ts'

const actGroups = ['guests', 'accounts'] as const

/** Time, act, event (0 for none) and person (empty for none). */
export const actKey = '^[0-9]{1,15}\\.[A-Za-z_]{1,80}\\.[0-9]{1,16}\\.[A-Za-z0-9_-]{0,100}$'

const ActId = Type.String({ minLength: 1, maxLength: 220 })

export const ActRecord = Type.Object(
  {
    id: ActId,
    act: Type.String({
      description: `Of guests: ${guestActs.map((act) => `\`${act}\``).join(', ')}. Of accounts: the operationId of the request, \`uploadPhotos\` for each way to upload`,
    }),
    is_locked: Type.Boolean({ description: 'A sign-in that was rejected because of a lock' }),
    count: Type.Integer({ description: 'How often in this hour; of a visit: on this day' }),
    guest: Nullable(Type.Object({ id: Type.String(), name: Nullable(Type.String()) }), {
      description: 'Null for visits, erased guests and accounts',
    }),
    user: Nullable(Type.Object({ id: Id, username: Nullable(Type.String()) }), {
      description: 'Null for guests, and for a locked sign-in with an unknown user name',
    }),
    event: Nullable(Type.Object({ id: Id, event_name: Nullable(Type.String()) }), {
      description: '`event_name` is null if the event has been deleted',
    }),
    first_at: Timestamp,
    last_at: Timestamp,
  },
  { title: 'Act' },
)
export type ActRecord = Static<typeof ActRecord>

export const ListActsQuery = Type.Object({
  by: OneOf(actGroups, { default: 'guests', description: 'Acts of guests, or of accounts and API tokens' }),
  limit: Limit(50, 100),
  before: Type.Optional(
    Type.String({
      pattern: actKey,
      maxLength: 220,
      'x-pattern': 'must be `next` of an earlier page',
      description: '`next` of the previous page',
    }),
  ),
  event_id: Type.Optional(Id),
  user_id: Type.Optional(Type.Integer({ ...Id, description: 'Only with `by=accounts`' })),
  action: Type.Optional(Type.String({ maxLength: 60, description: 'Only acts of this kind, see `act`' })),
  since: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only acts from the hour of this ISO-8601 time on' }),
  ),
})
export type ListActsQuery = Static<typeof ListActsQuery>

export const ActList = Type.Object(
  {
    acts: Type.Array(ActRecord),
    next: Nullable(Type.String(), { description: 'For `before` of the next page; null on the last page' }),
  },
  { title: 'ActList' },
)
export type ActList = Static<typeof ActList>

export const ActParams = Type.Object({ act_id: ActId })

export const ListActRowsQuery = Type.Object({
  by: ListActsQuery.properties.by,
  page: Page,
  limit: PageQuery.properties.limit,
})
export type ListActRowsQuery = Static<typeof ListActRowsQuery>

export const ActRow = Type.Object(
  {
    at: Timestamp,
    count: Type.Integer({
      description: 'For a selection, the number of photos; for accounts, the number of equal requests',
    }),
    photo: Nullable(Type.Object({ id: Id, original_filename: Type.String() })),
    detail: Nullable(Type.String(), { description: 'The text, the number of stars or the color' }),
    via: Nullable(Type.String(), { description: 'As in the activity log; null for guests' }),
    address: Nullable(Type.String()),
  },
  { title: 'ActRow' },
)
export type ActRow = Static<typeof ActRow>

export const ActRows = Type.Object({ rows: Type.Array(ActRow), pagination: Pagination }, { title: 'ActRows' })
