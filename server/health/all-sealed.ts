import { encryptedSecondFactors } from '../access/sealed-second-factors.ts'
import { mailCredentials } from '../platform/mail/sealed-credentials.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { EncryptedColumn } from '../platform/sealed-columns.ts'
import { webhookSecrets } from '../webhooks/sealed-secrets.ts'

/** All encrypted columns. Add each new one here. */
export const allEncrypted = (ctx: PlatformContext): EncryptedColumn[] => [
  webhookSecrets(ctx),
  encryptedSecondFactors(ctx),
  mailCredentials(ctx),
]
