import { type Static, Type } from 'typebox'
import { Id, Limit, Nullable, OneOf, Timestamp } from './shapes.ts'
import { HeaderStyle, ThemePreset } from './themes.ts'

export const photoSorts = [
  'upload_date_asc',
  'upload_date_desc',
  'capture_date_asc',
  'capture_date_desc',
  'filename_asc',
  'filename_desc',
] as const
export type PhotoSort = (typeof photoSorts)[number]

const Line = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })))
const Time = (maxLength: number, description?: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 1, maxLength, ...(description && { description }) })))
const Email = Type.Optional(Nullable(Type.String({ maxLength: 254, format: 'email' })))
const Switch = Type.Optional(Type.Boolean())

/** 6 to 128 characters, not all digits (interface, "Limits"; decisions §3). */
export const GalleryPassword = Type.String({ minLength: 6, maxLength: 128, pattern: '[^0-9]' })

/** Switches of an event and what they are when nobody says otherwise (decisions §3). */
export const eventSwitchDefaults = {
  allow_downloads: true,
  watermark_downloads: false,
  strip_location: true,
  moderate_uploads: false,
  feedback_enabled: true,
  allow_ratings: true,
  allow_color_labels: true,
  allow_comments: true,
  allow_likes: true,
  allow_favorites: true,
  moderate_comments: true,
  show_feedback_to_guests: true,
  require_guest_name: false,
} as const
export type EventSwitch = keyof typeof eventSwitchDefaults
export const eventSwitches = Object.keys(eventSwitchDefaults) as EventSwitch[]

const switchFields = Object.fromEntries(eventSwitches.map((key) => [key, Switch])) as Record<EventSwitch, typeof Switch>

export const CreateEventBody = Type.Object({
  event_type: Type.String({ minLength: 1, maxLength: 50, examples: ['wedding'] }),
  event_name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Ana & Ben'] }),
  event_date: Time(10),
  customer_name: Line(200),
  customer_email: Email,
  customer_phone: Line(32),
  host_name: Type.Optional(Nullable(Type.String({ maxLength: 200, description: 'Older name of customer_name' }))),
  host_email: Type.Optional(
    Nullable(Type.String({ maxLength: 254, format: 'email', description: 'Older name of customer_email' })),
  ),
  admin_email: Email,
  welcome_message: Type.Optional(Nullable(Type.String({ maxLength: 10_000, description: 'Markdown' }))),
  require_password: Switch,
  password: Type.Optional(Nullable(GalleryPassword)),
  expiration_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 365 }))),
  expires_at: Time(40, 'Wins over expiration_days; a bare date is the end of that day'),
  photo_cap: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, description: '0 means unlimited' })),
  theme_preset: Type.Optional(Nullable(ThemePreset)),
  color_theme: Type.Optional(Nullable(ThemePreset)),
  header_style: Type.Optional(Nullable(HeaderStyle)),
  is_draft: Switch,
  allow_user_uploads: Switch,
  upload_category_id: Type.Optional(Nullable(Id)),
  default_photo_sort: Type.Optional(OneOf(photoSorts)),
  watermark_text: Line(200),
  download_max_px: Type.Optional(Nullable(Type.Integer({ minimum: 320, maximum: 20_000 }))),
  reveal_at: Time(40),
  send_email: Switch,
  ...switchFields,
})
export type CreateEventBody = Static<typeof CreateEventBody>

/** Any subset of the create fields; what cannot be changed here is refused (decisions §5). */
export const ChangeEventBody = Type.Partial(CreateEventBody, { additionalProperties: false })
export type ChangeEventBody = Static<typeof ChangeEventBody>

export const EventLink = Type.Object({
  slug: Type.String(),
  share_token: Type.String(),
  share_url: Type.String({ format: 'uri' }),
})

export const CreatedEvent = Type.Object({ id: Id, ...EventLink.properties })

export const EventRecord = Type.Object({
  id: Id,
  slug: Type.String(),
  share_token: Type.String(),
  share_url: Type.String(),
  share_link: Type.String({ description: 'The path of share_url' }),
  event_type: Type.String(),
  event_name: Type.String(),
  event_date: Nullable(Type.String({ format: 'date' })),
  customer_name: Nullable(Type.String()),
  customer_email: Nullable(Type.String()),
  customer_phone: Nullable(Type.String()),
  admin_email: Nullable(Type.String()),
  welcome_message: Type.String(),
  require_password: Type.Boolean(),
  expires_at: Timestamp,
  photo_cap: Type.Integer(),
  theme_preset: Type.String(),
  color_theme: Type.String(),
  header_style: HeaderStyle,
  is_draft: Type.Boolean(),
  is_archived: Type.Boolean(),
  is_active: Type.Boolean(),
  archived_at: Nullable(Timestamp),
  allow_user_uploads: Type.Boolean(),
  upload_category_id: Nullable(Id),
  default_photo_sort: OneOf(photoSorts),
  cover_photo_id: Nullable(Id),
  watermark_text: Nullable(Type.String()),
  download_max_px: Nullable(Type.Integer()),
  reveal_at: Nullable(Timestamp),
  allow_downloads: Type.Boolean(),
  watermark_downloads: Type.Boolean(),
  strip_location: Type.Boolean(),
  moderate_uploads: Type.Boolean(),
  feedback_enabled: Type.Boolean(),
  allow_ratings: Type.Boolean(),
  allow_color_labels: Type.Boolean(),
  allow_comments: Type.Boolean(),
  allow_likes: Type.Boolean(),
  allow_favorites: Type.Boolean(),
  moderate_comments: Type.Boolean(),
  show_feedback_to_guests: Type.Boolean(),
  require_guest_name: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: Nullable(Id),
  photo_count: Type.Integer(),
  total_size: Type.Integer({ description: 'Bytes' }),
  total_views: Type.Integer(),
  total_downloads: Type.Integer(),
})
export type EventRecord = Static<typeof EventRecord>

const listItemKeys = [
  'id',
  'slug',
  'event_name',
  'event_type',
  'event_date',
  'customer_name',
  'expires_at',
  'is_active',
  'is_archived',
  'is_draft',
  'photo_count',
  'share_url',
  'created_at',
] as const

export const EventListItem = Type.Pick(EventRecord, listItemKeys)
export type EventListItem = Static<typeof EventListItem>

export const ListEventsQuery = Type.Object({
  limit: Limit(20, 100),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31, description: 'Instead of page' })),
  // Without the default of a Page: it would stand beside every offset.
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'Instead of offset' })),
  is_archived: Type.Optional(Type.Boolean()),
  is_draft: Type.Optional(Type.Boolean()),
  event_type: Type.Optional(Type.String({ maxLength: 50 })),
})
export type ListEventsQuery = Static<typeof ListEventsQuery>

export const EventList = Type.Object({
  events: Type.Array(EventListItem),
  pagination: Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
  }),
})

export const EventTypeRecord = Type.Object({
  slug_prefix: Type.String(),
  name: Type.String(),
  emoji: Type.String(),
  theme_preset: Type.String(),
  header_style: HeaderStyle,
})
export type EventTypeRecord = Static<typeof EventTypeRecord>

const eventTypeFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  emoji: Type.Optional(Type.String({ maxLength: 16 })),
  theme_preset: Type.Optional(ThemePreset),
}
export const CreateEventTypeBody = Type.Object({
  slug_prefix: Type.String({ minLength: 1, maxLength: 30, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  ...eventTypeFields,
})
export const ChangeEventTypeBody = Type.Object(
  { ...eventTypeFields, name: Type.Optional(eventTypeFields.name) },
  { additionalProperties: false },
)
