import { encryptedSecondFactors } from '../access/second-factor/second-factor-rows.ts'
import { encryptedGalleryPasswords } from '../events/gallery-passwords.ts'
import { mailCredentials } from '../platform/mail/mail-rows.ts'
import { mailServerPasswords } from '../platform/mail/mail-server-rows.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { EncryptedColumn } from '../platform/security/encrypted-columns.ts'
import { webhookSecrets } from '../webhooks/webhook-rows.ts'

/** All encrypted columns. Add new columns here. */
export const allEncrypted = (ctx: PlatformContext): EncryptedColumn[] => [
  webhookSecrets(ctx),
  encryptedSecondFactors(ctx),
  mailCredentials(ctx),
  mailServerPasswords(ctx),
  encryptedGalleryPasswords(ctx),
]
