import { type Static, Type } from 'typebox'
import { Id, Nullable, OptionalNullable, Pagination, Strict, Timestamp } from './shapes.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const Email = Type.String({ format: 'email', maxLength: 254 })
/** Customers have fewer rights than accounts, so their passwords may be shorter than `AccountPassword`. */
const CustomerPassword = Type.String({ minLength: 8, maxLength: 128 })

export const CreateCustomerBody = Type.Object({
  name: Name,
  email: Email,
  password: OptionalNullable(CustomerPassword, {
    description: 'If omitted, the customer cannot sign in until a password is set',
  }),
})
export type CreateCustomerBody = Static<typeof CreateCustomerBody>

export const ChangeCustomerBody = Strict({
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  password: Type.Optional(CustomerPassword),
  is_active: Type.Optional(Type.Boolean()),
})
export type ChangeCustomerBody = Static<typeof ChangeCustomerBody>

export const CustomerRecord = Type.Object(
  {
    id: Id,
    name: Type.String(),
    email: Type.String(),
    is_active: Type.Boolean(),
    has_password: Type.Boolean({ description: 'If false, the customer cannot sign in' }),
    events: Type.Array(Type.Object({ id: Id, slug: Type.String(), event_name: Type.String() }), {
      description: 'The events assigned to the customer, limited to those that you can access',
    }),
    created_at: Timestamp,
    last_login_at: Nullable(Timestamp),
  },
  { title: 'Customer' },
)
export type CustomerRecord = Static<typeof CustomerRecord>

export const CustomerList = Type.Object({ customers: Type.Array(CustomerRecord), pagination: Pagination })

export const CustomerLoginBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
})

const SignedInCustomer = Type.Object({ id: Id, name: Type.String(), email: Type.String() })
export type SignedInCustomer = Static<typeof SignedInCustomer>

export const CustomerLoginReply = Type.Object({ token: Type.String(), customer: SignedInCustomer })

export const CustomerSessionReply = Type.Object({ valid: Type.Boolean(), customer: Nullable(SignedInCustomer) })

export const CustomerGallery = Type.Object({
  id: Id,
  slug: Type.String(),
  event_name: Type.String(),
  event_type: Type.String(),
  event_date: Nullable(Type.String()),
  expires_at: Timestamp,
  photo_count: Type.Integer({ description: 'Number of photos that the customer can currently see' }),
  cover_photo_id: Nullable(Id),
  thumbnail_url: Nullable(Type.String(), {
    description: 'The thumbnail of the cover; requires the access token of the gallery',
  }),
  allow_downloads: Type.Boolean(),
  hidden_until_reveal: Type.Boolean(),
  reveal_at: Nullable(Timestamp),
})
export type CustomerGallery = Static<typeof CustomerGallery>

export const CustomerGalleryList = Type.Object({ events: Type.Array(CustomerGallery), pagination: Pagination })
