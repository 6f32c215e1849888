import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { invalidField } from '../platform/app-error.ts'
import { seconds } from '../platform/clock.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { isPublicAddress } from './public-addresses.ts'
import { hostOf, parseReceiverUrl, RefusedAddress, wayOut } from './receiver-url.ts'

export { RefusedAddress } from './receiver-url.ts'

/** What the guard needs of the platform. */
export type AddressRules = Pick<PlatformContext, 'resolve'> & { config: Pick<PlatformContext['config'], 'webhooks'> }

/** Where one attempt may connect, and nowhere else. */
export type CheckedAddress = { url: URL; addresses: LookupAddress[] }

/** The name of the receiver has no address just now: a failure that is retried. */
export class UnresolvedName extends Error {}

/** So long the one who types in the URL waits for name servers. */
const checkedWithinMs = seconds(5)

/**
 * Throws invalidField('url', …) for what no delivery would be sent to. A name that does not resolve passes, for it may
 * come to life: every attempt checks again.
 */
export async function assertReceiverUrl(rules: AddressRules, url: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, checkedWithinMs)
  })
  try {
    await Promise.race([resolveReceiver(rules, url), silence])
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalidField('url', error.reason)
    if (!(error instanceof UnresolvedName)) throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * All addresses of the receiver, each of them checked: one that is refused refuses all, since nobody can tell which of
 * them a connection would take. WEBHOOK_ALLOW_PRIVATE_URLS lifts the ranges and local names, nothing else. Throws
 * RefusedAddress, or UnresolvedName.
 */
export async function resolveReceiver({ config, resolve }: AddressRules, text: string): Promise<CheckedAddress> {
  const { allowPrivateUrls } = config.webhooks
  const url = parseReceiverUrl(text, allowPrivateUrls)
  const addresses = await addressesOf(resolve, hostOf(url))
  const areAllowed = addresses.every(({ address }) => allowPrivateUrls || isPublicAddress(address))
  if (!areAllowed) throw new RefusedAddress(`must not lead to a private or reserved address (${wayOut})`)
  return { url, addresses }
}

async function addressesOf(resolve: PlatformContext['resolve'], host: string): Promise<LookupAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new UnresolvedName('The name of the receiver does not resolve.')
  return addresses
}
