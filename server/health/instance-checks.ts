import type { FastifyRequest } from 'fastify'
import type { HealthItem } from '../../contract/health.ts'
import { countUnreadable } from '../platform/sealed-columns.ts'
import type { House } from '../settings/house.ts'
import { allSealed } from './all-sealed.ts'
import { proxyFacts } from './proxy-facts.ts'

export async function checkAddress({ config, settings }: House): Promise<HealthItem> {
  const origin = await settings.linkOrigin()
  const key = 'address'
  if (config.publicUrl !== null) {
    const text = `Links in mails and webhooks begin with ${origin}.`
    return { key, status: 'ok', text, fix: null, facts: { origin, is_set: true } }
  }
  return {
    key,
    status: 'warn',
    text: `PUBLIC_URL is not set: links in mails and webhooks begin with ${origin}, where a super admin signed in last.`,
    fix: 'Set PUBLIC_URL to the address under which guests reach the service.',
    facts: { origin, is_set: false },
  }
}

/** As the request of the page itself came in. */
export function checkProxy(house: House, request: FastifyRequest): HealthItem {
  const facts = proxyFacts(house, request)
  const { scheme, host, address, forwarding_headers: headers, trust_proxy: trusted } = facts
  const told = { scheme, host, address, forwarding_headers: headers.join(', '), trust_proxy: trusted }
  const item = { key: 'proxy', facts: told }
  if (headers.length > 0 && trusted === 'off') {
    return {
      ...item,
      status: 'warn',
      text: `A proxy stands in front of the service and is not trusted: all guests seem to come from ${address}, and links begin with ${scheme}://.`,
      fix: 'Set TRUST_PROXY to the number of proxies in front of the service, mostly 1.',
    }
  }
  if (facts.public_url?.startsWith('https:') && scheme === 'http') {
    return {
      ...item,
      status: 'warn',
      text: 'PUBLIC_URL is https, but this request seems to have come by http.',
      fix: 'Let the proxy send X-Forwarded-Proto, and set TRUST_PROXY.',
    }
  }
  const text = `You reach the service as ${scheme}://${host} from ${address}.`
  return { ...item, status: 'ok', text, fix: null }
}

/** So many values of each kind are tried: a lost key is missed by all of them. */
const mostTried = 100

export async function checkSecrets(house: House): Promise<HealthItem> {
  const unreadable: string[] = []
  for (const column of allSealed(house)) {
    const count = await countUnreadable(house, column, mostTried)
    if (count > 0) unreadable.push(`${count} ${column.name}`)
  }
  const item = whereSecretsLie(house)
  if (unreadable.length === 0) return item
  return {
    ...item,
    status: 'fail',
    text: `What was encrypted with another ENCRYPTION_KEY cannot be read: ${unreadable.join(', ')}.`,
    fix: 'Set ENCRYPTION_KEY_OLD to that key, and run proofroom rotate-key. Where it is lost: make the webhooks anew, and run proofroom reset-mfa for each account.',
  }
}

function whereSecretsLie({ config, database }: House): HealthItem {
  const generated = [
    ...(config.jwtSecret === null ? ['JWT_SECRET'] : []),
    ...(config.encryptionKey === null ? ['ENCRYPTION_KEY'] : []),
  ]
  const item = { key: 'secrets', facts: { generated: generated.join(', ') } }
  if (generated.length === 0)
    return { ...item, status: 'ok', text: 'JWT_SECRET and ENCRYPTION_KEY are set.', fix: null }
  const were = `${generated.join(' and ')} ${generated.length === 1 ? 'was' : 'were'} generated`
  if (database.kind === 'sqlite') {
    const text = `${were} and lie in DATA_DIR/secrets: a backup needs that folder too.`
    return { ...item, status: 'ok', text, fix: null }
  }
  return {
    ...item,
    status: 'warn',
    text: `${were} and lie in the database: whoever reads the database can read what is encrypted in it.`,
    fix: 'Set both variables to the values in the table kept_secrets, the same on all nodes, and empty that table.',
  }
}
