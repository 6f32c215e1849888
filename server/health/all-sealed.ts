import { sealedSecondFactors } from '../access/sealed-second-factors.ts'
import { mailCredentials } from '../platform/mail/sealed-credentials.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import { webhookSecrets } from '../webhooks/sealed-secrets.ts'

/** All encrypted columns. Add each new one here. */
export const allSealed = (ctx: PlatformContext): SealedColumn[] => [
  webhookSecrets(ctx),
  sealedSecondFactors(ctx),
  mailCredentials(ctx),
]
