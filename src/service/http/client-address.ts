import { isPublicAddress } from '../links/public-address.ts';

/**
 * Whose request it is: the other end of the connection or, where that is a machine of one's own network, whom its
 * `X-Forwarded-For` names last that is not. Whoever comes straight from the Internet is taken for nobody else.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined): string {
  const own = plain(peer ?? '');
  if (forwardedFor === undefined || isPublicAddress(own)) return own;
  const named = forwardedFor.split(',').map((part) => plain(part.trim()));
  const known = named.filter((address) => ADDRESS.test(address));
  return known.findLast(isPublicAddress) ?? known[0] ?? own;
}

const ADDRESS = /^[\da-f:.]{2,45}$/i;

/** An IPv4 address stays one where it comes in the clothes of IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** What counts as one client: an IPv4 address, or the /64 that one customer has of IPv6. */
export function networkOf(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
