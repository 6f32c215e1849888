/** Who can open an address: only this computer, only devices in the same network, or anybody. */
export type LinkReach = 'computer' | 'network' | 'internet'

/** The parser of URLs writes each address in one form: IPv4 with four decimal numbers, IPv6 in its shortest form. */
const computer = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/

/**
 * Private, link-local, shared and unique local addresses, names that only a local network resolves (RFC 6762, RFC 8375),
 * and names without a dot.
 */
const network =
  /^(?:(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[789]\d|1[01]\d|12[0-7]))(?:\.\d+){2,3}|\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):.*\]|.+\.(?:local|internal|home\.arpa)|[^.[]+)$/

/** Decides by the address alone, without a request. A public name can still lead to a private address. */
export function linkReach(link: string): LinkReach {
  const host = new URL(link).hostname.replace(/\.$/, '')
  if (computer.test(host)) return 'computer'
  return network.test(host) ? 'network' : 'internet'
}
