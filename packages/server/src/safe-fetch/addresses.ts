import { BlockList, isIP } from 'node:net'

/** Addresses that belong to a machine, a network or a special purpose instead of a host of the internet. */
const SPECIAL_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** The only part of IPv6 that has hosts of the internet. NAT64, IPv4-mapped, unique local and link-local are outside of it. */
const GLOBAL_6 = ['2000::', 3] as const
const SPECIAL_6 = [
  // Teredo, benchmarking, ORCHID and their like, documentation, and 6to4, which carries an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, prefix] of SPECIAL_4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_6) special.addSubnet(network, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet(...GLOBAL_6, 'ipv6')

/** Whether an address is that of a host of the internet. Everything that is not surely one is refused (H03). */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  // An address with a zone is one of the link.
  return family === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
