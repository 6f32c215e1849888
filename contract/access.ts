import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, OptionalNullable, Pagination, Timestamp } from './shapes.ts'

/** From narrow to wide: `admin` includes `write`, and `write` includes `read`. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

export const permissions = [
  'photos.upload',
  'photos.edit',
  'photos.delete',
  'photos.view',
  'photos.download',
  'notes.view',
  'events.view',
  'events.create',
  'events.edit',
  'events.delete',
  'events.archive',
  'settings.view',
  'settings.edit',
] as const
export type Permission = (typeof permissions)[number]

export const roles = ['super_admin', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

export const AccountPassword = Type.String({ minLength: 12, maxLength: 128 })

const Password = Type.String({ minLength: 1, maxLength: 1024 })

export const LoginBody = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 254, description: 'User name or email address' }),
  password: Password,
  recaptchaToken: OptionalNullable(Type.String({ maxLength: 4096 })),
})

const UserRecord = Type.Object({
  id: Id,
  username: Type.String(),
  email: Type.String(),
  mustChangePassword: Type.Boolean(),
})

export const SignedInReply = Type.Object({
  token: Type.String({ description: 'The token of the admin session; valid for 24 hours' }),
  refresh_token: Type.String({ description: 'Renews the session; works once and for 30 days' }),
  user: UserRecord,
})

export const LoginReply = Type.Union([
  SignedInReply,
  Type.Object({
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'Send it with a code within 5 minutes; it grants no access by itself' }),
  }),
])

const Token = Type.String({ minLength: 1, maxLength: 4096 })

/** Browsers send the refresh token in a cookie, not in the body. */
export const RefreshTokenBody = Nullable(Type.Object({ refresh_token: OptionalNullable(Token) }))

export const RefreshReply = Type.Object({ token: Type.String(), refresh_token: Type.String() })

export const SessionReply = Type.Object({
  valid: Type.Boolean(),
  user: Nullable(
    Type.Object({
      ...UserRecord.properties,
      role: OneOf(roles),
      permissions: Type.Array(OneOf(permissions), { description: 'The permissions of the role' }),
      mfaEnabled: Type.Boolean(),
    }),
  ),
})

export const DoneReply = Type.Object({ success: Type.Boolean() })

export const ChangePasswordBody = Type.Object({ currentPassword: Password, newPassword: AccountPassword })

export const CreateApiTokenBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scopes: Type.Array(OneOf(scopes), { minItems: 1, maxItems: 3 }),
  reads_notes: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the token can read the private notes of guests, if the account has the permission `notes.view`',
    }),
  ),
  expires_at: OptionalNullable(Type.String({ minLength: 1, maxLength: 40 })),
})

const apiTokenFields = {
  id: Id,
  name: Type.String(),
  token_preview: Type.String({ description: 'The first characters of the token' }),
  scopes: Type.Array(OneOf(scopes)),
  reads_notes: Type.Boolean({ description: 'Whether the token can read the private notes of guests' }),
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  created_at: Timestamp,
}

export const ApiTokenRecord = Type.Object(apiTokenFields)
export type ApiTokenRecord = Static<typeof ApiTokenRecord>

export const TokenAccount = Type.Object(
  {
    user: Type.Object(
      {
        id: Id,
        username: Type.String(),
        role: OneOf(roles),
        permissions: Type.Array(OneOf(permissions), { description: 'The permissions of the role' }),
      },
      { description: 'The account that made the token' },
    ),
    token: Type.Pick(ApiTokenRecord, ['id', 'name', 'scopes', 'reads_notes', 'expires_at', 'created_at']),
  },
  { title: 'TokenAccount' },
)

export const AccountTokenList = Type.Object(
  {
    tokens: Type.Array(
      Type.Object({
        ...apiTokenFields,
        user_id: Id,
        username: Type.String(),
        is_active: Type.Boolean({ description: 'If false, the account is deactivated and the token does not work' }),
      }),
    ),
    pagination: Pagination,
  },
  { title: 'AccountTokenList' },
)

export const CreatedApiToken = Type.Object({
  ...apiTokenFields,
  token: Type.String({ description: 'The token; only returned here' }),
})

const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'A six-digit code of the authenticator app, or a recovery code',
})

export const MfaLoginBody = Type.Object({ mfaToken: Token, code: Code })

export const SecondFactorReply = Type.Object({
  enabled: Type.Boolean(),
  confirmedAt: Nullable(Timestamp),
  recoveryCodesLeft: Type.Integer(),
})

export const SetUpSecondFactorBody = Type.Object({ password: Password })

export const SecondFactorSetUp = Type.Object({
  secret: Type.String({ description: 'The secret in Base32, for manual entry' }),
  otpauthUrl: Type.String({ description: 'The content of the QR code' }),
})

export const ConfirmSecondFactorBody = Type.Object({ code: Type.String({ minLength: 6, maxLength: 20 }) })

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'Only returned here; each code works once' }),
})

/** The schema requires no field, but the operations require at least one. */
export const ProofBody = Type.Object({ password: Type.Optional(Password), code: Type.Optional(Code) })
