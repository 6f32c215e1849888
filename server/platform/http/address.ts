import ipaddr from 'ipaddr.js'

/** The key under which an address is counted: itself, or its /64 for IPv6 (decisions §8). */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
