import { type Static, Type } from 'typebox'
import { mapSwitches } from './event-features.ts'
import { PackagePreset } from './gallery/rounds.ts'
import { languages } from './languages.ts'
import {
  Created,
  cursorPage,
  Id,
  Limit,
  NotBlank,
  Nullable,
  OneOf,
  OptionalNullable,
  pageTotals,
  Strict,
  TextParam,
  Timestamp,
  UpdatedSince,
  Whole,
} from './shapes.ts'
import { CoverLayout, coverLayouts, HeaderStyle, ThemePreset, Typeface } from './themes.ts'

export const photoSorts = [
  'upload_date_asc',
  'upload_date_desc',
  'capture_date_asc',
  'capture_date_desc',
  'filename_asc',
  'filename_desc',
] as const

/**
 * `manual`: the order that an operator has made by hand. It cannot be the default of new events, which have no such
 * order.
 */
const eventPhotoSorts = [...photoSorts, 'manual'] as const
export type PhotoSort = (typeof eventPhotoSorts)[number]

export const PhotoSort = OneOf(eventPhotoSorts, {
  title: 'PhotoSort',
  description: '`manual`: by hand; photos without a place come last, the oldest upload first',
})

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
  'x-matches': '[^\\p{Nd}\\s]',
  'x-pattern': 'must not consist of digits and spaces only',
})

const switchFields = mapSwitches((_, { description }) =>
  Type.Boolean({ description: `${description}; for new events, the default is in the settings` }),
)

const CoverFocus = Type.Integer({ minimum: 0, maximum: 100 })
const focusDescription = 'The place of the cover that stays in view, in percent'

export const CreateEventBody = Type.Object(
  {
    event_type: Type.String({ minLength: 1, maxLength: 50, description: 'The slug_prefix of an event type' }),
    event_name: NotBlank(200, { description: 'The name that guests see' }),
    event_date: Time(10, { description: 'A date, `YYYY-MM-DD`' }),
    customer_name: Line(200),
    customer_email: Email({ description: 'Recipient of emails about the gallery' }),
    customer_phone: Line(32, { description: 'Stored only if the settings allow it' }),
    host_name: Line(200, { description: 'Older name of customer_name' }),
    host_email: Email({ description: 'Older name of customer_email' }),
    admin_email: Email({ description: 'Email address of the photographer' }),
    welcome_message: Line(10_000, { description: 'Markdown' }),
    require_password: Switch('If false, the share link alone opens the gallery; the default is in the settings'),
    password: OptionalNullable(GalleryPassword, {
      description: 'Required with require_password. At least 6 characters, not only digits',
    }),
    expiration_days: OptionalNullable(Type.Integer({ minimum: 1, maximum: 365 }), {
      description: 'Days from now until the gallery expires; the default is in the settings',
    }),
    expires_at: Time(40, {
      description:
        'ISO-8601, UTC if no time zone is given; a date without a time is the end of that day. Overrides expiration_days. On a change by the admin API, null means never',
    }),
    photo_cap: Type.Optional(Whole(0, 10_000_000, 'The maximum number of photos; 0, the default, is unlimited')),
    theme_preset: OptionalNullable(ThemePreset, { description: 'The default is the theme of the event type' }),
    color_theme: OptionalNullable(ThemePreset, { description: 'Another name of theme_preset' }),
    header_style: OptionalNullable(HeaderStyle, { description: 'The default is the style of the theme' }),
    typeface: OptionalNullable(Typeface, {
      description: 'The typefaces of titles and texts; null, the default, is the typefaces of the theme',
    }),
    cover_layout: Type.Optional(
      OneOf(coverLayouts, {
        description: 'The layout of the cover if `header_style` is `hero`; the default is `full`',
      }),
    ),
    is_draft: Switch('A draft has no gallery until it is published; the default is false'),
    allow_user_uploads: Switch('Guests may upload photos; the default is false'),
    upload_category_id: OptionalNullable(Id, {
      description: 'The category of guest uploads; required with allow_user_uploads',
    }),
    default_photo_sort: Type.Optional(PhotoSort),
    watermark_text: Line(200),
    download_max_px: OptionalNullable(Type.Integer({ minimum: 320, maximum: 20_000 }), {
      description: 'The longest edge of downloads, in pixels; null is the original size',
    }),
    reveal_at: Time(40, {
      description: 'Guests see no photos before this time; ISO-8601, a date without a time is the start of that day',
    }),
    guest_session_days: Type.Optional(
      Whole(1, 30, 'How many days guests stay signed in on their device; the default is 1'),
    ),
    language: OptionalNullable(OneOf(languages), {
      description:
        'Language of the gallery unless a guest chooses another, and of emails to the customer; null, the default, is the language of the browser, and of the settings for emails',
    }),
    send_email: Switch('Send an email to the customer when the gallery opens; the default is true'),
    ...mapSwitches((key) => Type.Optional(switchFields[key])),
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
    cover_focus_x: Nullable(CoverFocus, {
      description: `${focusDescription} from the left; null, also after a change of cover_photo_id, for a proposed place`,
    }),
    cover_focus_y: Nullable(CoverFocus, { description: `${focusDescription} from the top; null as above` }),
  }),
  {
    title: 'ChangeEvent',
    description: 'All fields of a new event, and the cover; omitted fields do not change',
    additionalProperties: false,
  },
)
export type ChangeEventBody = Static<typeof ChangeEventBody>

const linkFields = {
  slug: Type.String({ description: 'The name of the event in URLs; it never changes' }),
  share_token: Type.String({ description: 'The secret of the share link; it changes with the password' }),
  share_url: Type.String({ format: 'uri', description: 'The share link for guests' }),
}

export const EventLink = Type.Object(linkFields, { title: 'ShareLink', description: 'The share link' })

export const CreatedEvent = Created(Type.Object({ id: Id, ...linkFields }), {
  title: 'CreatedEvent',
  description: 'The created event with its share link',
})

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
    welcome_message: Type.String({ description: 'Markdown; empty if there is none' }),
    require_password: Type.Boolean({ description: 'If false, the share link alone opens the gallery' }),
    expires_at: Nullable(Timestamp, { description: 'Null if the gallery never expires' }),
    photo_cap: Type.Integer({ description: 'The maximum number of photos; 0 is unlimited' }),
    theme_preset: Type.String(),
    color_theme: Type.String({ description: 'The same as theme_preset' }),
    header_style: HeaderStyle,
    typeface: Nullable(Typeface, { description: 'Null for the typefaces of the theme' }),
    cover_layout: CoverLayout,
    is_draft: Type.Boolean({ description: 'Not published yet, so guests cannot open it' }),
    is_archived: Type.Boolean({ description: 'Guests cannot open it, and it cannot be changed' }),
    is_active: Type.Boolean({ description: 'Neither archived nor expired' }),
    archived_at: Nullable(Timestamp),
    allow_user_uploads: Type.Boolean({ description: 'Guests may upload photos' }),
    upload_category_id: Nullable(Id, { description: 'The category of guest uploads' }),
    default_photo_sort: PhotoSort,
    cover_photo_id: Nullable(Id, { description: 'By default the first visible photo in the order of upload' }),
    cover_focus_x: Nullable(CoverFocus, { description: `${focusDescription} from the left; null if proposed` }),
    cover_focus_y: Nullable(CoverFocus, { description: `${focusDescription} from the top; null if proposed` }),
    watermark_text: Nullable(Type.String()),
    download_max_px: Nullable(Type.Integer(), { description: 'The longest edge of downloads, in pixels' }),
    reveal_at: Nullable(Timestamp, { description: 'Guests see no photos before this time' }),
    guest_session_days: Type.Integer({ description: 'How many days guests stay signed in on their device' }),
    language: Nullable(OneOf(languages), { description: 'Language of the gallery and of emails to the customer' }),
    has_first_look: Type.Boolean({ description: 'The gallery tells guests that more photos are coming' }),
    ...switchFields,
    created_at: Timestamp,
    updated_at: Timestamp,
    created_by: Nullable(Id, { description: 'The account that created it' }),
    photo_count: Type.Integer({ description: 'Includes videos and hidden photos' }),
    video_count: Type.Integer({ description: 'How many photos of `photo_count` are videos' }),
    total_size: Type.Integer({ description: 'Bytes of the originals' }),
    total_views: Type.Integer({ description: 'Number of guest visits' }),
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

const eventSearch = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'Only events that contain all these words in the name, customer, email address of the customer or slug; case and accents are ignored',
  }),
)

/** The query of the list of the public API. */
export const ListOwnEventsQuery = Type.Object({
  ...ListEventsQuery.properties,
  search: eventSearch,
  updated_since: UpdatedSince('Only events whose fields or state have changed at or after this time'),
  after: TextParam(
    100,
    'The `next` value of a page: returns the events after it. Cannot be combined with `page` or `offset`',
  ),
})
export type ListOwnEventsQuery = Static<typeof ListOwnEventsQuery>

export const EventList = Type.Object(
  {
    events: Type.Array(EventListItem),
    pagination: Type.Object(
      {
        ...cursorPage,
        limit: Type.Integer(),
        offset: Nullable(Type.Integer(), { description: 'Null with `after`' }),
        ...pageTotals,
      },
      { title: 'EventPagination' },
    ),
  },
  { title: 'EventList', description: 'One page of the list' },
)
export type EventPagination = Static<typeof EventList>['pagination']

export const eventStates = ['draft', 'live', 'expired', 'archived'] as const
export type EventState = (typeof eventStates)[number]

export const eventSorts = ['created', 'name', 'event_date', 'expires_at', 'photos', 'views'] as const
export type EventSort = (typeof eventSorts)[number]

export const FindEventsQuery = Type.Object({
  ...ListEventsQuery.properties,
  search: eventSearch,
  state: Type.Optional(OneOf(eventStates, { description: 'Only events in this state; an expired draft is a draft' })),
  sort: Type.Optional(OneOf(eventSorts, { description: 'The default is `created`' })),
  order: Type.Optional(
    OneOf(['asc', 'desc'], {
      description: 'The default is desc, or asc for `name`. Events without a date always come last',
    }),
  ),
})
export type FindEventsQuery = Static<typeof FindEventsQuery>

const foundEventKeys = ['video_count', 'customer_email', 'require_password', 'cover_photo_id', 'total_views'] as const

const WaitingCounts = Type.Object(
  {
    selections: Type.Integer({ description: 'Submitted selections that are not marked as done' }),
    comments: Type.Integer({ description: 'Comments to review' }),
    guest_uploads: Type.Integer({ description: 'Uploads of guests to review' }),
    notes: Type.Integer({ description: 'Private notes, pins and boxes of guests that are not marked as done' }),
  },
  { description: 'What waits for an operator' },
)
export type WaitingCounts = Static<typeof WaitingCounts>

const pickedKeys = Type.Pick(EventRecord, [...listItemKeys, ...foundEventKeys]).properties
export const FoundEvent = Type.Object({ ...pickedKeys, waiting: WaitingCounts }, { title: 'FoundEvent' })
export type FoundEvent = Static<typeof FoundEvent>

export const FoundEvents = Type.Object(
  {
    events: Type.Array(FoundEvent),
    pagination: Type.Object(
      { page: Type.Integer(), limit: Type.Integer(), offset: Type.Integer(), ...pageTotals },
      { title: 'FoundEventPagination' },
    ),
  },
  { title: 'FoundEvents', description: 'One page of the list' },
)

/**
 * The initial values of the form for a new event. They are separate from the settings, because an account that may
 * create events may not be allowed to read the settings.
 */
export const EventDefaults = Type.Object(
  {
    required: Type.Array(Type.String(), {
      description: 'Fields that new events require in addition to `event_type` and `event_name`',
    }),
    require_password: Type.Boolean({
      description: 'Whether a password is required unless the request specifies otherwise',
    }),
    expiration_days: Type.Integer(),
    is_phone_kept: Type.Boolean({ description: 'Whether `customer_phone` is stored' }),
    welcome_message: Type.String(),
    photo_cap: Type.Integer(),
    default_photo_sort: PhotoSort,
    download_max_px: Nullable(Type.Integer()),
    package_presets: Type.Array(PackagePreset, { description: 'The packages to propose' }),
    ...switchFields,
  },
  { title: 'EventDefaults', description: 'The values of new events unless the request specifies otherwise' },
)
export type EventDefaults = Static<typeof EventDefaults>

export const EventTypeRecord = Type.Object(
  {
    slug_prefix: Type.String({ description: 'The value of `event_type` of an event, and the start of its slug' }),
    name: Type.String(),
    emoji: Type.String(),
    theme_preset: Type.String({ description: 'The theme of events of this type unless another is chosen' }),
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
    'x-pattern': 'must consist of lowercase letters and digits, separated by single hyphens',
  }),
  ...eventTypeFields,
})
export const ChangeEventTypeBody = Strict({ ...eventTypeFields, name: Type.Optional(eventTypeFields.name) })
