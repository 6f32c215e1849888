import { type Static, Type } from 'typebox'
import {
  Id,
  Limit,
  NotBlank,
  Nullable,
  OneOf,
  OptionalNullable,
  pageTotals,
  Strict,
  Timestamp,
  Whole,
} from './shapes.ts'
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

export const PhotoSort = OneOf(photoSorts, { title: 'PhotoSort' })

type Text = { description?: string }
const Line = (maxLength: number, text: Text = {}) => OptionalNullable(Type.String({ maxLength }), text)
const Time = (maxLength: number, text: Text = {}) => OptionalNullable(Type.String({ minLength: 1, maxLength }), text)
/** Forms send an empty field as an empty string, which means no value. */
const Email = (text: Text = {}) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 254, format: 'email' }), Type.Literal(''), Type.Null()], text))
const Switch = (description: string) => Type.Optional(Type.Boolean({ description }))

export const GalleryPassword = Type.String({
  minLength: 6,
  maxLength: 128,
  pattern: '[^\\p{Nd}\\s]',
  'x-pattern': 'must not be digits and blanks alone',
})

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

export const eventSwitchDescriptions: Record<EventSwitch, string> = {
  allow_downloads: 'Guests may download photos',
  watermark_downloads: 'What guests download carries a watermark',
  strip_location: 'Guests get photos without the place where they were taken',
  moderate_uploads: 'What guests upload stays hidden until it is shown by hand',
  feedback_enabled: 'Guests may give feedback, of the kinds that are switched on',
  allow_ratings: 'Guests may give stars',
  allow_color_labels: 'Guests may set colours',
  allow_comments: 'Guests may write comments',
  allow_likes: 'Guests may like photos',
  allow_favorites: 'Guests may mark favourites',
  moderate_comments: 'Other guests see a comment once it is approved',
  show_feedback_to_guests: 'Guests see the feedback of others',
  require_guest_name: 'Feedback wants the name of the guest',
}

const switchFields = Object.fromEntries(
  eventSwitches.map((key) => [
    key,
    Type.Boolean({ description: `${eventSwitchDescriptions[key]}; on create by default as the settings say` }),
  ]),
) as Record<EventSwitch, ReturnType<typeof Type.Boolean>>

export const CreateEventBody = Type.Object(
  {
    event_type: Type.String({ minLength: 1, maxLength: 50, description: 'The slug_prefix of an event type' }),
    event_name: NotBlank(200, { description: 'As guests read it' }),
    event_date: Time(10, { description: 'A day, `YYYY-MM-DD`' }),
    customer_name: Line(200),
    customer_email: Email({ description: 'Where the mails about the gallery go' }),
    customer_phone: Line(32, { description: 'Kept only where the settings say so' }),
    host_name: Line(200, { description: 'Older name of customer_name' }),
    host_email: Email({ description: 'Older name of customer_email' }),
    admin_email: Email({ description: 'Of the photographer' }),
    welcome_message: Line(10_000, { description: 'Markdown' }),
    require_password: Switch('When false, the share link alone opens the gallery; by default as the settings say'),
    password: OptionalNullable(GalleryPassword, {
      description: 'Wanted with require_password. At least 6 characters, not all digits',
    }),
    expiration_days: OptionalNullable(Type.Integer({ minimum: 1, maximum: 365 }), {
      description: 'Days from now until the gallery expires; by default as the settings say',
    }),
    expires_at: Time(40, {
      description:
        'ISO-8601, UTC where no zone is given; a bare date is the end of that day. Wins over expiration_days',
    }),
    photo_cap: Type.Optional(Whole(0, 10_000_000, 'The most photos; 0, the default, is unlimited')),
    theme_preset: OptionalNullable(ThemePreset, { description: 'By default that of the event type' }),
    color_theme: OptionalNullable(ThemePreset, { description: 'Another name of theme_preset' }),
    header_style: OptionalNullable(HeaderStyle, { description: 'By default that of the theme' }),
    is_draft: Switch('A draft has no gallery before it is published; false unless set'),
    allow_user_uploads: Switch('Guests may upload photos; false unless set'),
    upload_category_id: OptionalNullable(Id, {
      description: 'Where photos of guests go; wanted with allow_user_uploads',
    }),
    default_photo_sort: Type.Optional(PhotoSort),
    watermark_text: Line(200),
    download_max_px: OptionalNullable(Type.Integer({ minimum: 320, maximum: 20_000 }), {
      description: 'The longest edge, in pixels, of what guests download; null is the original size',
    }),
    reveal_at: Time(40, {
      description: 'Guests see no photo before this time; ISO-8601, a bare date is the start of that day',
    }),
    guest_session_days: Type.Optional(
      Whole(1, 30, 'How many days guests stay signed in on their device; 1 unless set'),
    ),
    send_email: Switch('Tell the customer by mail when the gallery opens; true unless set'),
    ...(Object.fromEntries(eventSwitches.map((key) => [key, Type.Optional(switchFields[key])])) as Record<
      EventSwitch,
      ReturnType<typeof Switch>
    >),
  },
  { title: 'CreateEvent' },
)
export type CreateEventBody = Static<typeof CreateEventBody>

export const ChangeEventBody = Type.Partial(
  Type.Object({
    ...CreateEventBody.properties,
    cover_photo_id: Nullable(Id, {
      description: 'A photo of the event; null for the first visible one in the order of upload',
    }),
  }),
  {
    title: 'ChangeEvent',
    description: 'Any of the fields of a create, and the cover; what is left out stays as it is',
    additionalProperties: false,
  },
)
export type ChangeEventBody = Static<typeof ChangeEventBody>

const linkFields = {
  slug: Type.String({ description: 'Names the event in addresses; it never changes' }),
  share_token: Type.String({ description: 'The secret of the share link; another one after a change of password' }),
  share_url: Type.String({ format: 'uri', description: 'The gallery, to hand to guests' }),
}

export const EventLink = Type.Object(linkFields, { title: 'ShareLink', description: 'The share link' })

export const CreatedEvent = Type.Object(
  { id: Id, ...linkFields },
  { title: 'CreatedEvent', description: 'The event is there, with its share link' },
)

export const EventRecord = Type.Object(
  {
    id: Id,
    ...linkFields,
    share_link: Type.String({ description: 'The path of share_url' }),
    event_type: Type.String({ description: 'The slug_prefix of its event type' }),
    event_name: Type.String(),
    event_date: Nullable(Type.String({ format: 'date' })),
    customer_name: Nullable(Type.String()),
    customer_email: Nullable(Type.String()),
    customer_phone: Nullable(Type.String()),
    admin_email: Nullable(Type.String()),
    welcome_message: Type.String({ description: 'Markdown; empty when there is none' }),
    require_password: Type.Boolean({ description: 'When false, the share link alone opens the gallery' }),
    expires_at: Timestamp,
    photo_cap: Type.Integer({ description: 'The most photos; 0 is unlimited' }),
    theme_preset: Type.String(),
    color_theme: Type.String({ description: 'The same as theme_preset' }),
    header_style: HeaderStyle,
    is_draft: Type.Boolean({ description: 'Not published yet: guests do not find it' }),
    is_archived: Type.Boolean({ description: 'Guests do not find it, and nothing of it can be changed' }),
    is_active: Type.Boolean({ description: 'Neither archived nor expired' }),
    archived_at: Nullable(Timestamp),
    allow_user_uploads: Type.Boolean({ description: 'Guests may upload photos' }),
    upload_category_id: Nullable(Id, { description: 'Where photos of guests go' }),
    default_photo_sort: PhotoSort,
    cover_photo_id: Nullable(Id, { description: 'By default the first visible photo in the order of upload' }),
    watermark_text: Nullable(Type.String()),
    download_max_px: Nullable(Type.Integer(), { description: 'The longest edge, in pixels, of what guests download' }),
    reveal_at: Nullable(Timestamp, { description: 'Guests see no photo before this time' }),
    guest_session_days: Type.Integer({ description: 'How many days guests stay signed in on their device' }),
    ...switchFields,
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: Nullable(Id, { description: 'The account that made it' }),
    photo_count: Type.Integer({ description: 'Hidden photos included' }),
    total_size: Type.Integer({ description: 'Bytes of the originals' }),
    total_views: Type.Integer({ description: 'How often guests came' }),
    total_downloads: Type.Integer({ description: 'How many photos and ZIPs guests downloaded' }),
  },
  { title: 'Event', description: 'The event with its totals' },
)
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

export const EventListItem = Type.Pick(EventRecord, listItemKeys, { title: 'EventListItem' })
export type EventListItem = Static<typeof EventListItem>

export const ListEventsQuery = Type.Object({
  limit: Limit(20, 100),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31, description: 'Instead of page' })),
  // `Page` would set a default, but a request with `offset` must not have a `page`.
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'Instead of offset' })),
  is_archived: Type.Optional(Type.Boolean({ description: 'Only archived events, or only others' })),
  is_draft: Type.Optional(Type.Boolean({ description: 'Only drafts, or only others' })),
  event_type: Type.Optional(Type.String({ maxLength: 50, description: 'Only events of this type: its slug_prefix' })),
})
export type ListEventsQuery = Static<typeof ListEventsQuery>

export const EventList = Type.Object(
  {
    events: Type.Array(EventListItem),
    pagination: Type.Object(
      { page: Type.Integer(), limit: Type.Integer(), offset: Type.Integer(), ...pageTotals },
      { title: 'EventPagination' },
    ),
  },
  { title: 'EventList', description: 'One page of the list' },
)

export const eventStates = ['draft', 'live', 'expired', 'archived'] as const
export type EventState = (typeof eventStates)[number]

export const eventSorts = ['created', 'name', 'event_date', 'expires_at', 'photos', 'views'] as const
export type EventSort = (typeof eventSorts)[number]

export const FindEventsQuery = Type.Object({
  ...ListEventsQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Only events whose name, customer, mail address of the customer or slug hold all of these words; neither case nor accents count',
    }),
  ),
  state: Type.Optional(OneOf(eventStates, { description: 'Only events in this state; an expired draft is a draft' })),
  sort: Type.Optional(OneOf(eventSorts, { description: 'By default in the order of their making' })),
  order: Type.Optional(
    OneOf(['asc', 'desc'], { description: 'By default desc, of names asc; what has no date comes last in either' }),
  ),
})
export type FindEventsQuery = Static<typeof FindEventsQuery>

const foundEventKeys = ['customer_email', 'require_password', 'cover_photo_id', 'total_views'] as const

export const FoundEvent = Type.Pick(EventRecord, [...listItemKeys, ...foundEventKeys], { title: 'FoundEvent' })
export type FoundEvent = Static<typeof FoundEvent>

export const FoundEvents = Type.Object(
  { events: Type.Array(FoundEvent), pagination: EventList.properties.pagination },
  { title: 'FoundEvents', description: 'One page of the list' },
)

/**
 * The initial values of the form for a new event. They are separate from the settings, because an account that may
 * create events may not be allowed to read the settings.
 */
export const EventDefaults = Type.Object(
  {
    required: Type.Array(Type.String(), { description: 'Fields that a create wants beside event_type and event_name' }),
    require_password: Type.Boolean({
      description: 'Whether a password is wanted where a create does not say otherwise',
    }),
    expiration_days: Type.Integer(),
    is_phone_kept: Type.Boolean({ description: 'Whether customer_phone is kept' }),
    welcome_message: Type.String(),
    photo_cap: Type.Integer(),
    default_photo_sort: PhotoSort,
    download_max_px: Nullable(Type.Integer()),
    ...switchFields,
  },
  { title: 'EventDefaults', description: 'What new events get where a create does not say otherwise' },
)
export type EventDefaults = Static<typeof EventDefaults>

export const EventTypeRecord = Type.Object(
  {
    slug_prefix: Type.String({ description: 'What `event_type` of an event names; its slug begins with it' }),
    name: Type.String(),
    emoji: Type.String(),
    theme_preset: Type.String({ description: 'The theme of its events, unless one is chosen' }),
    header_style: HeaderStyle,
  },
  { title: 'EventType' },
)
export type EventTypeRecord = Static<typeof EventTypeRecord>

const eventTypeFields = {
  name: NotBlank(100),
  emoji: Type.Optional(Type.String({ maxLength: 16 })),
  theme_preset: Type.Optional(ThemePreset),
}
export const CreateEventTypeBody = Type.Object({
  slug_prefix: Type.String({
    minLength: 1,
    maxLength: 30,
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    'x-pattern': 'must be lower-case letters and digits, with single hyphens in between',
  }),
  ...eventTypeFields,
})
export const ChangeEventTypeBody = Strict({ ...eventTypeFields, name: Type.Optional(eventTypeFields.name) })
