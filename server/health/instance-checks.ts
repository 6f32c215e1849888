import type { HealthItem, ProxyFacts } from '../../contract/instance/health.ts'
import type { MessageKey } from '../../locales/catalogs.ts'
import { countNodes } from '../platform/database/running-nodes.ts'
import { countUnreadable } from '../platform/security/encrypted-columns.ts'
import type { AppContext } from '../settings/app-context.ts'
import { allEncrypted } from './all-encrypted.ts'
import { fail, type HealthFormatter, ok, warn } from './health-formatter.ts'

export async function checkAddress({ settings }: AppContext, { t }: HealthFormatter): Promise<HealthItem> {
  const origin = await settings.linkOrigin()
  const isSet = (await settings.publicUrl()) !== null
  const item = { key: 'address', facts: { origin, is_set: isSet } }
  if (isSet) return { ...item, ...ok(t('addressSet', { origin })) }
  return { ...item, ...warn(t('addressGuessed', { origin }), t('addressGuessedFix')) }
}

export function checkProxy(_ctx: AppContext, { t }: HealthFormatter, facts: ProxyFacts): HealthItem {
  const { scheme, host, address, forwarding_headers: headers, trust_proxy: trusted } = facts
  const proxyValues = { scheme, host, address, forwarding_headers: headers.join(', '), trust_proxy: trusted }
  const item = { key: 'proxy', facts: proxyValues }
  if (headers.length > 0 && trusted === 'off') {
    return { ...item, ...warn(t('proxyUntrusted', { address, scheme }), t('proxyUntrustedFix')) }
  }
  if (facts.public_url?.startsWith('https:') && scheme === 'http') {
    return { ...item, ...warn(t('proxyPlain'), t('proxyPlainFix')) }
  }
  return { ...item, ...ok(t('proxyReached', { scheme, host, address })) }
}

const encryptedColumnKeys: Record<string, MessageKey<'health'>> = {
  'webhook secrets': 'unreadableWebhookSecrets',
  'second factors': 'unreadableSecondFactors',
  'gallery passwords': 'unreadableGalleryPasswords',
  'credentials in queued mails': 'unreadableMailCredentials',
  'mail server passwords': 'unreadableMailServerPasswords',
}

/** A lost encryption key affects all values, so a sample is enough. */
const maxSampledValues = 100

export async function checkSecrets(ctx: AppContext, formatter: HealthFormatter): Promise<HealthItem> {
  const unreadable: string[] = []
  for (const column of allEncrypted(ctx)) {
    const count = await countUnreadable(ctx, column, maxSampledValues)
    if (count > 0) unreadable.push(formatter.t(encryptedColumnKeys[column.name] ?? 'unreadableOther', { count }))
  }
  const item = describeSecretSources(ctx, formatter)
  if (unreadable.length === 0) return item
  return {
    ...item,
    ...fail(formatter.t('secretsUnreadable', { what: unreadable.join(', ') }), formatter.t('secretsUnreadableFix')),
  }
}

function describeSecretSources({ config, database }: AppContext, { t }: HealthFormatter): HealthItem {
  const generated = [
    ...(config.jwtSecret === null ? ['JWT_SECRET'] : []),
    ...(config.encryptionKey === null ? ['ENCRYPTION_KEY'] : []),
  ]
  const item = { key: 'secrets', facts: { generated: generated.join(', ') } }
  if (generated.length === 0) return { ...item, ...ok(t('secretsSet')) }
  const values = { count: generated.length, names: generated.map((name) => `\`${name}\``).join(', ') }
  if (database.kind === 'sqlite') return { ...item, ...ok(t('secretsInFolder', values)) }
  const text = config.encryptionKey === null ? 'secretsInDatabase' : 'sessionSecretInDatabase'
  return { ...item, ...warn(t(text, values), t('secretsInDatabaseFix', values)) }
}

export async function checkNodes(
  { database, db, config, changes }: AppContext,
  { t }: HealthFormatter,
): Promise<HealthItem> {
  const nodes = database.kind === 'sqlite' ? 1 : await countNodes(db)
  const isConnected = !changes.isDisconnected()
  const item = { key: 'nodes', facts: { nodes, is_hearing: isConnected } }
  if (!isConnected) return { ...item, ...warn(t('nodeIsDeaf'), t('nodeIsDeafFix')) }
  if (nodes > 1 && config.s3 === null) {
    return { ...item, ...warn(t('nodesWithFolder', { count: nodes }), t('nodesWithFolderFix')) }
  }
  return { ...item, ...ok(t('nodes', { count: Math.max(nodes, 1) })) }
}
