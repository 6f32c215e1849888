import { type Static, Type } from 'typebox'
import { AccountPassword, permissions, roles } from './access.ts'
import { DescribedId, Id, Nullable, OneOf, OptionalNullable, Pagination, Strict, Timestamp } from './shapes.ts'

const Username = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{C}\\p{Z}]+( [^\\p{C}\\p{Z}]+)*$',
  'x-pattern': 'must be letters, digits and symbols, with single spaces in between',
})
const Email = Type.String({ format: 'email', maxLength: 254 })
const RoleName = OneOf(roles, { title: 'Role' })

export const CreateUserBody = Type.Object(
  {
    username: Username,
    email: Email,
    role: RoleName,
    password: OptionalNullable(AccountPassword, {
      description: 'Without one the account is invited, and chooses it by the link',
    }),
  },
  { title: 'CreateUser' },
)
export type CreateUserBody = Static<typeof CreateUserBody>

export const ChangeUserBody = Strict({
  username: Type.Optional(Username),
  email: Type.Optional(Email),
  role: Type.Optional(RoleName),
  is_active: Type.Optional(Type.Boolean({ description: 'false deactivates, true brings the account back' })),
})
export type ChangeUserBody = Static<typeof ChangeUserBody>

export const TransferOwnershipBody = Strict({
  to_user_id: DescribedId('An active account, which has the events from then on'),
})

const accountFields = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  role: RoleName,
  is_active: Type.Boolean({ description: 'A deactivated account signs in no more, nor do its API tokens work' }),
  mustChangePassword: Type.Boolean(),
  has_second_factor: Type.Boolean(),
  has_password: Type.Boolean({ description: 'false until an invited account has chosen one' }),
  invite_expires_at: Nullable(Timestamp, { description: 'While a link to choose a password is open' }),
  event_count: Type.Integer({ description: 'Events that are the account’s own; of others it may be a member' }),
  created_at: Timestamp,
  last_login_at: Nullable(Timestamp),
}

export const AccountRecord = Type.Object(accountFields, { title: 'Account' })
export type AccountRecord = Static<typeof AccountRecord>

export const InvitedAccount = Type.Object(
  {
    ...accountFields,
    invite_url: Nullable(Type.String({ format: 'uri' }), {
      description: 'Where the password is chosen, once and within 7 days; shown only here. null when it was given',
    }),
  },
  { title: 'InvitedAccount' },
)
export type InvitedAccount = Static<typeof InvitedAccount>

export const AccountList = Type.Object(
  { users: Type.Array(AccountRecord), pagination: Pagination },
  { title: 'AccountList' },
)

export const TransferredOwnership = Type.Object(
  {
    id: Id,
    to_user_id: Id,
    events: Type.Integer({ description: 'How many events have another owner now' }),
    customers: Type.Integer({ description: 'The same of customers' }),
  },
  { title: 'HandedOver' },
)

export const RoleList = Type.Object(
  {
    roles: Type.Array(
      Type.Object({
        role: RoleName,
        all_events: Type.Boolean({
          description: 'Of every owner; others have their own and those they are members of',
        }),
        permissions: Type.Array(OneOf(permissions)),
      }),
    ),
  },
  { title: 'RoleList' },
)

export const InviteParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) })

export const InviteReply = Type.Object(
  { username: Type.String(), email: Type.String(), expires_at: Timestamp },
  { title: 'Invite' },
)

export const AcceptInviteBody = Type.Object({ password: AccountPassword }, { title: 'AcceptInvite' })

export const AcceptedInvite = Type.Object(
  { success: Type.Boolean(), username: Type.String({ description: 'To sign in with' }) },
  { title: 'AcceptedInvite' },
)
