/**
 * Whether an address may be asked by a checker whose links come from authors: only what is routed on the public Internet.
 * Everything else (loopback, private, link-local with the cloud's metadata, multicast, reserved, and IPv6 forms that carry
 * another IPv4 address inside) could be a machine that trusts its network. IANA special-purpose registries.
 */
export function isPublicAddress(address: string): boolean {
  const v4 = ipv4Of(address);
  if (v4 !== undefined) return isPublicV4(v4);
  const groups = ipv6Of(address);
  return groups !== undefined && isPublicV6(groups);
}

/** Base and length of the ranges that are not public. */
const CLOSED_V4: readonly (readonly [base: string, bits: number])[] = [
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
];

function isPublicV4(value: number): boolean {
  return !CLOSED_V4.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(value / size) === Math.floor((ipv4Of(base) ?? 0) / size);
  });
}

function isPublicV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups;
  // 2000::/3 is what is routed; inside it 2001::/23 (Teredo, ORCHID), documentation and 6to4 are not.
  if (first < 0x2000 || first > 0x3fff) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

function ipv4Of(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => value * 256 + part, 0);
}

/** Eight groups; undefined: not an IPv6 address. A zone (`fe80::1%eth0`) makes it none. */
function ipv6Of(text: string): readonly number[] | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted === null ? undefined : ipv4Of(dotted[2] ?? '');
  if (dotted !== null && tail === undefined) return undefined;
  const plain =
    tail === undefined
      ? text
      : `${dotted?.[1] ?? ''}${Math.floor(tail / 65_536).toString(16)}:${(tail % 65_536).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return undefined;
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...left, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...right];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}
