import { encryptedSecondFactors } from '../access/encrypted-second-factors.ts'
import type { EncryptedColumn } from '../platform/encrypted-columns.ts'
import { mailCredentials } from '../platform/mail/encrypted-credentials.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { webhookSecrets } from '../webhooks/encrypted-secrets.ts'

/** All encrypted columns. Add each new one here. */
export const allEncrypted = (ctx: PlatformContext): EncryptedColumn[] => [
  webhookSecrets(ctx),
  encryptedSecondFactors(ctx),
  mailCredentials(ctx),
]
