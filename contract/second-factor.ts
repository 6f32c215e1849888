import { Type } from 'typebox'
import { Nullable, Timestamp } from './shapes.ts'

const Password = Type.String({ minLength: 1, maxLength: 1024 })
const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the authenticator, or a recovery code',
})

export const MfaLoginBody = Type.Object({ mfaToken: Type.String({ minLength: 1, maxLength: 4096 }), code: Code })

export const SecondFactorReply = Type.Object({
  enabled: Type.Boolean(),
  confirmedAt: Nullable(Timestamp),
  recoveryCodesLeft: Type.Integer(),
})

export const SetUpSecondFactorBody = Type.Object({ password: Password })

export const SecondFactorSetUp = Type.Object({
  secret: Type.String({ description: 'Base32, for who types it in' }),
  otpauthUrl: Type.String({ description: 'To be shown as a QR code' }),
})

export const ConfirmSecondFactorBody = Type.Object({ code: Type.String({ minLength: 6, maxLength: 20 }) })

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), { description: 'Shown only here; each signs in once' }),
})

/** At least one of the two is required. */
export const ProofBody = Type.Object({ password: Type.Optional(Password), code: Type.Optional(Code) })
