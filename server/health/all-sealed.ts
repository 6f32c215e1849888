import { sealedSecondFactors } from '../access/sealed-second-factors.ts'
import type { Backends } from '../platform/backends.ts'
import { mailCredentials } from '../platform/mail/sealed-credentials.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import { webhookSecrets } from '../webhooks/sealed-secrets.ts'

/** Whatever is encrypted in the database: a new kind of it belongs here. */
export const allSealed = (backends: Backends): SealedColumn[] => [
  webhookSecrets(backends),
  sealedSecondFactors(backends),
  mailCredentials(backends),
]
