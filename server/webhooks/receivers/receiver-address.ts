import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { seconds } from '../../platform/time/clock.ts'
import { isPublicAddress } from './public-addresses.ts'
import { allowPrivateHint, getHost, parseReceiverUrl, RejectedAddress } from './receiver-url.ts'

export type AddressContext = Pick<PlatformContext, 'resolve'> & { config: Pick<PlatformContext['config'], 'webhooks'> }

/** An attempt may connect only to these addresses. */
export type CheckedAddress = { url: URL; addresses: LookupAddress[] }

/** The host name has no address now; the delivery is retried. */
export class UnresolvedName extends Error {}

/** How long an operator waits for the check of a URL at most. */
const checkTimeoutMs = seconds(5)

/**
 * Throws VALIDATION_ERROR for the field `url`. Accepts a name that does not resolve within 5 seconds, because every
 * attempt checks again.
 */
export async function assertReceiverUrl(rules: AddressContext, url: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, checkTimeoutMs)
  })
  try {
    await Promise.race([resolveReceiver(rules, url), timeout])
  } catch (error) {
    if (error instanceof RejectedAddress) throw invalidField('url', error.reason)
    if (!(error instanceof UnresolvedName)) throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Throws UnresolvedName, or RejectedAddress if the URL or any of its addresses is not allowed: a connection may use any
 * of the addresses.
 */
export async function resolveReceiver({ config, resolve }: AddressContext, text: string): Promise<CheckedAddress> {
  const { allowPrivateUrls } = config.webhooks
  const url = parseReceiverUrl(text, allowPrivateUrls)
  const addresses = await lookUpAddresses(resolve, getHost(url))
  const areAllowed = addresses.every(({ address }) => allowPrivateUrls || isPublicAddress(address))
  if (!areAllowed) throw new RejectedAddress(`must not lead to a private or reserved address (${allowPrivateHint})`)
  return { url, addresses }
}

async function lookUpAddresses(resolve: PlatformContext['resolve'], host: string): Promise<LookupAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const addresses = await resolve(host).catch(() => [])
  if (addresses.length === 0) throw new UnresolvedName('The host name of the receiver cannot be resolved.')
  return addresses
}
