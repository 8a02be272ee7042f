import { ipVersionOf, isPublicAddress } from '../links/public-address.ts';

/**
 * Whose request it is: the other end of the connection or, where that is a machine of one's own network, whom its
 * `X-Forwarded-For` names last that is not. Whoever comes straight from the Internet is taken for nobody else.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined): string {
  const own = plain(peer ?? '');
  if (forwardedFor === undefined || isPublicAddress(own)) return own;
  const named = forwardedFor.split(',').map((part) => plain(part.trim()));
  const known = named.filter((address) => ipVersionOf(address) !== 0);
  return known.findLast(isPublicAddress) ?? known[0] ?? own;
}

/** Without the port that some proxies name, which is another one each time; an IPv4 address stays one where it comes in the clothes of IPv6. */
function plain(address: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  return bare.replace(/^::ffff:(?=\d+\.)/i, '');
}

const IPV6_GROUPS = 8;

/** What counts as one client: an IPv4 address, or the /64 that one customer has of IPv6. */
export function networkOf(address: string): string {
  if (ipVersionOf(address) !== 6) return address;
  const [before = [], behind = []] = address.split('::').map(groupsIn);
  const zeros = Array.from({ length: IPV6_GROUPS - before.length - behind.length }, () => '0');
  const network = [...before, ...zeros, ...behind].slice(0, 4);
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** An IPv4 address at the end stands for two groups. */
function groupsIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/[\d.]+\.\d+$/, '0:0').split(':');
}
