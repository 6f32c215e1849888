import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** From the IANA registry of special-purpose addresses, and internal addresses of cloud providers. */
const reservedIPv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services
  '169.254.0.0/16', // link-local; metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle's metadata
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

const reservedIPv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, AMT, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: contains an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

const reserved = ranges([...reservedIPv4, ...reservedIPv6])
/** Global unicast: excludes loopback, link-local, unique local, multicast and IPv4-mapped addresses. */
const global = ranges(['2000::/3'])

/** Also returns false for a text that is not an address, and for an IPv6 address with a zone (`%`). */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return global.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

function ranges(subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/')
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6')
  }
  return list
}
