import { type Static, Type } from 'typebox'
import { AccountPassword, permissions, roles } from './access.ts'
import { DescribedId, Id, Nullable, OneOf, OptionalNullable, Pagination, Strict, Timestamp } from './shapes.ts'

const Username = Type.String({
  minLength: 1,
  maxLength: 100,
  'x-matches': '^[^\\p{C}\\p{Z}]+( [^\\p{C}\\p{Z}]+)*$',
  'x-pattern': 'must consist of letters, digits and symbols, separated by single spaces',
})
const Email = Type.String({ format: 'email', maxLength: 254 })
const RoleName = OneOf(roles, { title: 'Role' })

export const CreateUserBody = Type.Object(
  {
    username: Username,
    email: Email,
    role: RoleName,
    password: OptionalNullable(AccountPassword, {
      description: 'If omitted, the account gets an invitation link to choose a password',
    }),
  },
  { title: 'CreateUser' },
)
export type CreateUserBody = Static<typeof CreateUserBody>

export const ChangeUserBody = Strict({
  username: Type.Optional(Username),
  email: Type.Optional(Email),
  role: Type.Optional(RoleName),
  is_active: Type.Optional(Type.Boolean({ description: 'false deactivates the account, true reactivates it' })),
})
export type ChangeUserBody = Static<typeof ChangeUserBody>

export const TransferOwnershipBody = Strict({
  to_user_id: DescribedId('The new owner of the events: an active account'),
})

const accountFields = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  role: RoleName,
  is_active: Type.Boolean({ description: 'If false, the account cannot sign in and its API tokens do not work' }),
  mustChangePassword: Type.Boolean(),
  has_second_factor: Type.Boolean(),
  has_password: Type.Boolean({ description: 'False until an invited account has chosen a password' }),
  invite_expires_at: Nullable(Timestamp, {
    description: 'When the current link to choose a password expires; null without one',
  }),
  event_count: Type.Integer({
    description: 'Number of events that the account owns, without those that it is only a member of',
  }),
  created_at: Timestamp,
  last_login_at: Nullable(Timestamp),
}

export const AccountRecord = Type.Object(accountFields, { title: 'Account' })
export type AccountRecord = Static<typeof AccountRecord>

export const InvitedAccount = Type.Object(
  {
    ...accountFields,
    invite_url: Nullable(Type.String({ format: 'uri' }), {
      description:
        'The link to choose a password. Works once and for 7 days, and is only returned here; null if the request set a password',
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
    events: Type.Integer({ description: 'Number of transferred events' }),
    customers: Type.Integer({ description: 'Number of transferred customers' }),
  },
  { title: 'HandedOver' },
)

export const RoleList = Type.Object(
  {
    roles: Type.Array(
      Type.Object({
        role: RoleName,
        all_events: Type.Boolean({
          description:
            'Whether the role can access all events, instead of only events that the account owns or is a member of',
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
  { success: Type.Boolean(), username: Type.String({ description: 'The user name for signing in' }) },
  { title: 'AcceptedInvite' },
)
