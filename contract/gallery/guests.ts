import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, Pagination, Strict, Timestamp } from '../shapes.ts'
import { maxGuestNameLength } from '../text-lengths.ts'
import { GalleryInfo } from './gallery.ts'

const GuestName = Type.String({ minLength: 1, maxLength: maxGuestNameLength })
export const GuestEmail = Type.Union([Type.String({ maxLength: 254, format: 'email' }), Type.Literal(''), Type.Null()])

export const NameGuestBody = Type.Object({ name: GuestName, email: Type.Optional(GuestEmail) })
export type NameGuestBody = Static<typeof NameGuestBody>

export const GuestRecord = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'The name that the guest entered' })),
  email: Nullable(Type.String()),
})
export type GuestRecord = Static<typeof GuestRecord>

export const GuestReply = Type.Object({ guest: GuestRecord })

export const NamedGuestReply = Type.Object({
  guest: GuestRecord,
  token: Type.String({ description: 'For the header `X-Guest-Token`; valid for one year' }),
})

export const GuestLinkReply = Type.Object({
  url: Type.String({ description: 'The link; it works once' }),
  expires_at: Timestamp,
})

export const GallerySession = Type.Object({
  kind: OneOf(['guest', 'operator']),
  guest: Nullable(GuestRecord),
  expires_at: Nullable(Timestamp, { description: 'Null for a session that does not expire' }),
  event: GalleryInfo,
})

export const ResolveParams = Type.Object({
  identifier: Type.String({ minLength: 1, maxLength: 200, description: 'A slug or share token' }),
})
export const ResolvedGallery = Type.Object({ slug: Type.String(), requires_password: Type.Boolean() })

export const ListedGuest = Type.Object({
  ...GuestRecord.properties,
  rating_count: Type.Integer(),
  color_label_count: Type.Integer(),
  like_count: Type.Integer(),
  favorite_count: Type.Integer(),
  comment_count: Type.Integer(),
  selection_count: Type.Integer(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
})
export type ListedGuest = Static<typeof ListedGuest>

export const GuestList = Type.Object({ guests: Type.Array(ListedGuest), pagination: Pagination })

const GuestId = Type.String({ minLength: 1, maxLength: 100 })
export const MergeGuestsBody = Strict({ from: GuestId, into: GuestId })
export const GuestParams = Type.Object({ event_id: Id, guest_id: GuestId })
export const MergedGuestsReply = Type.Object({ guest: GuestRecord })

export const ErasedGuest = Type.Object(
  {
    ratings: Type.Integer(),
    color_labels: Type.Integer(),
    likes: Type.Integer(),
    favorites: Type.Integer(),
    comments: Type.Integer(),
    notes: Type.Integer({ description: 'Private notes, pins and boxes' }),
    selections: Type.Integer({ description: 'Kept without name, mail address and note' }),
    photos: Type.Integer({ description: 'Uploaded by the guest; kept, without the guest' }),
    uploads: Type.Integer({ description: 'Records of chunked uploads, with their file names' }),
    links: Type.Integer({ description: 'Links to continue on another device, and personal links' }),
    mails: Type.Integer({ description: 'About selections, in the outbox' }),
    webhook_deliveries: Type.Integer({ description: 'Kept without name, mail address and note' }),
    exports: Type.Integer({ description: 'Kept without the filter that named the guest' }),
  },
  { title: 'ErasedGuest' },
)
export type ErasedGuest = Static<typeof ErasedGuest>
