import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sendErrorOf, sendTo } from '../support/send-rig.ts';
import { listening } from '../support/support.ts';

const MB = 2 ** 20;

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
] as const)('a %s answer is inflated, and a bomb is not', async (encoding, compress) => {
  const { url } = await listening((request, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(compress(request.url === '/bomb' ? Buffer.alloc(8 * MB) : '{"a":1}'));
  });
  const send = sendTo(url);
  const exchange = (path: string): ReturnType<typeof send.exchange> =>
    send.exchange({ method: 'GET', url: `${url}${path}`, headers: {}, body: undefined, bytesMax: MB });
  expect((await exchange('/small')).body.toString()).toBe('{"a":1}');
  const bomb = await exchange('/bomb');
  expect([bomb.status, bomb.body.length, bomb.problem]).toEqual([200, 0, `it is larger than ${MB} bytes`]);
  expect(await (await send(new Request(`${url}/small`))).json()).toEqual({ a: 1 });
});

test('a plain answer past the cap is cut, its status kept', async () => {
  const { url } = await listening((_request, response) => {
    response.writeHead(500);
    response.end(Buffer.alloc(3 * MB));
  });
  const plain = { method: 'GET', url: `${url}/x`, headers: {}, body: undefined, bytesMax: MB };
  const { status, body, problem } = await sendTo(url).exchange(plain);
  expect([status, body.length, problem]).toEqual([500, 0, `it is larger than ${MB} bytes`]);
});

test.each([
  ['deflate', 'not deflated at all', 'its deflate encoding is damaged'],
  ['zstd', 'x', 'its encoding "zstd" was not asked for'],
  ['constructor', 'x', 'its encoding "constructor" was not asked for'],
  ['gzip', 'not gzip at all', 'its gzip encoding is damaged'],
])('an answer in %s that cannot be inflated keeps its status', async (encoding, text, problem) => {
  const { url } = await listening((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(text);
  });
  const send = sendTo(url);
  const plain = { method: 'GET', url: `${url}/x`, headers: {}, body: undefined, bytesMax: MB };
  expect(await send.exchange(plain)).toMatchObject({ status: 200, problem });
  expect((await sendErrorOf(send(new Request(`${url}/x`)))).message).toBe(problem);
});
