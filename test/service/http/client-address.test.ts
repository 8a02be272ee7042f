import { expect, test } from 'vitest';
import { createBuckets } from '../../../src/service/http/buckets.ts';
import { clientAddress, networkOf } from '../../../src/service/http/client-address.ts';

test.each([
  ['who comes straight is who he is', '203.0.114.9', '8.8.8.8', '203.0.114.9'],
  ['a proxy of one’s own network says whom it answers', '10.0.0.2', '8.8.8.8', '8.8.8.8'],
  ['of several the last that is not one’s own counts', '127.0.0.1', '1.2.3.4, 8.8.8.8, 10.0.0.3', '8.8.8.8'],
  ['what a client put in front counts for nothing', '127.0.0.1', 'nonsense, 8.8.8.8', '8.8.8.8'],
  ['one’s own network alone', '::1', '10.0.0.3', '10.0.0.3'],
  ['IPv4 in IPv6', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '8.8.8.8'],
  ['no proxy', '127.0.0.1', undefined, '127.0.0.1'],
  ['no address at all', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['no connection', undefined, undefined, ''],
  ['a port that a proxy names is no part of it', '10.0.0.2', '8.8.8.8:51234', '8.8.8.8'],
  ['a port behind brackets', '10.0.0.2', '[2600:1:2:3::1]:443', '2600:1:2:3::1'],
  ['digits that are no address', '10.0.0.2', '8.8.8.8, 1234.5', '8.8.8.8'],
])('%s', (_, peer, forwarded, expected) => {
  expect(clientAddress(peer, forwarded)).toBe(expected);
});

test('the addresses that one customer has of IPv6 are one client', () => {
  expect(networkOf('2600:1:2:3:4:5:6:7')).toBe(networkOf('2600:1:2:3::1'));
  // A row of zeros may be left out, wherever it stands.
  expect(networkOf('2600:1::1')).toBe(networkOf('2600:1::4:5:6:7'));
  expect(networkOf('2600:1:2::5')).toBe(networkOf('2600:1:2:0:9:8:7:6'));
  expect(networkOf('2600::')).toBe(networkOf('2600::1:192.0.2.1'));
  expect(networkOf('2600:1:2:3::1')).not.toBe(networkOf('2600:1:2:4::1'));
  expect(networkOf('2600:1::1')).not.toBe(networkOf('2600:1:0:1::1'));
  expect(networkOf('8.8.8.8')).toBe('8.8.8.8');
});

test('of more names than are remembered, the one in use is not forgotten', () => {
  const take = createBuckets(() => 0, 2);
  take('busy');
  take('busy');
  for (let turn = 0; turn < 6; turn += 1) {
    for (let n = 0; n < 5000; n += 1) take(`other-${turn}-${n}`);
    expect(take('busy').isGranted).toBe(false);
  }
});
