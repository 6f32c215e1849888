import type { HealthItem, ProxyFacts } from '../../contract/health.ts'
import type { HealthMessageKey } from '../../locales/health-messages.ts'
import { countUnreadable } from '../platform/encrypted-columns.ts'
import type { AppContext } from '../settings/app-context.ts'
import { allEncrypted } from './all-encrypted.ts'
import type { HealthFormatter } from './health-formatter.ts'

export async function checkAddress({ config, settings }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const origin = await settings.linkOrigin()
  const isSet = config.publicUrl !== null
  const item = { key: 'address', facts: { origin, is_set: isSet } }
  if (isSet) return { ...item, status: 'ok', text: t('addressSet', { origin }), fix: null }
  return { ...item, status: 'warn', text: t('addressGuessed', { origin }), fix: t('addressGuessedFix') }
}

export function checkProxy(_ctx: AppContext, { t }: HealthFormatter, facts: ProxyFacts): HealthItem {
  const { scheme, host, address, forwarding_headers: headers, trust_proxy: trusted } = facts
  const proxyValues = { scheme, host, address, forwarding_headers: headers.join(', '), trust_proxy: trusted }
  const item = { key: 'proxy', facts: proxyValues }
  if (headers.length > 0 && trusted === 'off') {
    return {
      ...item,
      status: 'warn',
      text: t('proxyUntrusted', { address, scheme }),
      fix: t('proxyUntrustedFix'),
    }
  }
  if (facts.public_url?.startsWith('https:') && scheme === 'http') {
    return { ...item, status: 'warn', text: t('proxyPlain'), fix: t('proxyPlainFix') }
  }
  return { ...item, status: 'ok', text: t('proxyReached', { scheme, host, address }), fix: null }
}

const encryptedColumnKeys: Record<string, HealthMessageKey> = {
  'webhook secrets': 'sealedWebhookSecrets',
  'second factors': 'sealedSecondFactors',
  'credentials in queued mails': 'sealedMailCredentials',
}

/** A lost key affects all values, so a sample is enough. */
const maxSampledValues = 100

export async function checkSecrets(ctx: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const unreadable: string[] = []
  for (const column of allEncrypted(ctx)) {
    const count = await countUnreadable(ctx, column, maxSampledValues)
    if (count > 0) unreadable.push(formatter.t(encryptedColumnKeys[column.name] ?? 'sealedOther', { count }))
  }
  const item = describeSecretSources(ctx, formatter)
  if (unreadable.length === 0) return item
  return {
    ...item,
    status: 'fail',
    text: formatter.t('secretsUnreadable', { what: unreadable.join(', ') }),
    fix: formatter.t('secretsUnreadableFix'),
  }
}

function describeSecretSources({ config, database }: AppContext, { t }: HealthFormatter): HealthItem {
  const generated = [
    ...(config.jwtSecret === null ? ['JWT_SECRET'] : []),
    ...(config.encryptionKey === null ? ['ENCRYPTION_KEY'] : []),
  ]
  const item = { key: 'secrets', facts: { generated: generated.join(', ') } }
  if (generated.length === 0) return { ...item, status: 'ok', text: t('secretsSet'), fix: null }
  const values = { count: generated.length, names: generated.map((name) => `\`${name}\``).join(', ') }
  if (database.kind === 'sqlite') return { ...item, status: 'ok', text: t('secretsInFolder', values), fix: null }
  return { ...item, status: 'warn', text: t('secretsInDatabase', values), fix: t('secretsInDatabaseFix') }
}
