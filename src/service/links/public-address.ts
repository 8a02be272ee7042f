import { BlockList, isIP } from 'node:net';

/**
 * Whether an address may be asked by a checker whose links come from authors: only what is routed on the public Internet.
 * Everything else (loopback, private, link-local with the cloud's metadata, multicast, reserved, and IPv6 forms that carry
 * another IPv4 address inside) could be a machine that trusts its network.
 */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) names a link of this machine.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !CLOSED.check(address, 'ipv4');
    case 6:
      return ROUTED.check(address, 'ipv6') && !CLOSED.check(address, 'ipv6');
    default:
      return false;
  }
}

/** 4 or 6, the version of an IP address; 0: it is none. */
export function ipVersionOf(address: string): number {
  return isIP(address);
}

/** What is routed of IPv6 (RFC 4291, 2.4). IPv4 in IPv6 (`::ffff:10.1.2.3`) lies outside of it. */
const ROUTED = new BlockList();
ROUTED.addSubnet('2000::', 3, 'ipv6');

/** IANA's registries of special-purpose addresses, IPv4 and IPv6. */
const CLOSED = new BlockList();
for (const [base, bits] of [
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
  ['224.0.0.0', 3],
] as const) {
  CLOSED.addSubnet(base, bits, 'ipv4');
}
for (const [base, bits] of [
  ['2001::', 23], // Teredo, ORCHID and other protocols
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const) {
  CLOSED.addSubnet(base, bits, 'ipv6');
}
