import { isIP } from 'node:net'

/** "Bad ports" of the Fetch standard: a service there might read an HTTP request as a command. */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/

/** Host names after URL parsing: ASCII in lower case. */
const hostName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

export const allowPrivateHint = 'set WEBHOOK_ALLOW_PRIVATE_URLS to allow this'

/**
 * The URL is not allowed, so a delivery to it fails at once. `reason` completes a sentence whose subject is the URL,
 * for example "must not name …".
 */
export class RejectedAddress extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`The URL of the receiver ${reason}.`)
    this.name = 'RejectedAddress'
    this.reason = reason
  }
}

/** Requests use the returned URL; the text is never parsed again. Throws RejectedAddress. */
export function parseReceiverUrl(text: string, allowsLocalNames: boolean): URL {
  const url = URL.parse(text)
  // `URL.parse` accepts missing or reversed slashes, blanks and control characters, which disguise the address.
  const [, authority = ''] = /^https?:\/\/([^/?#\s\\\p{Cc}]+)[^\s\\\p{Cc}]*$/iu.exec(text) ?? []
  if (!url || !authority) throw new RejectedAddress('must be a URL such as https://example.com/hook')
  if (authority.includes('@')) throw new RejectedAddress('must not contain a user name or password')
  if (url.port !== '' && blockedPorts.has(Number(url.port))) {
    throw new RejectedAddress('must not use a port that belongs to another protocol')
  }
  if (!isIP(getHost(url))) assertName(url.hostname, allowsLocalNames)
  return url
}

/** Returns an IPv6 address without its brackets. */
export const getHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

function assertName(name: string, allowsLocalNames: boolean): void {
  if (name.endsWith('.')) throw new RejectedAddress('must not end its host name with a dot')
  if (!hostName.test(name)) throw new RejectedAddress('must have a valid host name')
  if (allowsLocalNames) return
  if (localNames.test(name) || !name.includes('.'))
    throw new RejectedAddress(`must not use a host of a local network (${allowPrivateHint})`)
}
