import { expect, test } from 'vitest';
import { readBytes } from '../../../src/service/http/request-body.ts';

const MiB = 1024 * 1024;

/** A request whose body comes in pieces of 100,000 bytes; `declared` is what Content-Length says. */
function sending(bytes: Uint8Array, declared: number | undefined): Request {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 100_000));
      at += 100_000;
    },
  });
  const headers = declared === undefined ? {} : { 'content-length': String(declared) };
  return new Request('http://kb.test/', { method: 'PUT', body, headers, duplex: 'half' });
}

const pattern = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

test.each([
  ['short', 1000],
  ['long', 3 * MiB + 7],
])('a %s body is read whole, whether its length is declared or not', async (_, length) => {
  const bytes = pattern(length);
  for (const declared of [length, undefined]) {
    const read = await readBytes(sending(bytes, declared), 4 * MiB);
    expect(Buffer.compare(read, bytes)).toBe(0);
  }
});

test('a long body that is shorter or longer than it says is refused, and so is one that is too large', async () => {
  const bytes = pattern(3 * MiB);
  await expect(readBytes(sending(bytes, 3 * MiB + 1), 4 * MiB)).rejects.toMatchObject({ status: 400 });
  await expect(readBytes(sending(bytes, 3 * MiB - 1), 4 * MiB)).rejects.toMatchObject({ status: 400 });
  await expect(readBytes(sending(bytes, 3 * MiB), MiB)).rejects.toMatchObject({ status: 413 });
  await expect(readBytes(sending(bytes, undefined), MiB)).rejects.toMatchObject({ status: 413 });
});
