import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { listen } from '../../../src/service/index.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { ARTICLES, articleBody } from '../../service/support/rig.ts';
import { siteRig } from '../support/site-rig.ts';

const READERS = 12;
const PAGE_BYTES_MIN = 7_000_000;

/** What buffers hold, after those that nobody holds have gone. */
function bufferBytes(): number {
  setFlagsFromString('--expose-gc');
  // A context that is made after the flag was set has the function.
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('readers who are slow to take one long page share its bytes', async () => {
  const rig = await siteRig();
  const slug = 'long';
  await rig.make(
    ARTICLES,
    articleBody({ title: 'Long', slug, content: `<p>${'>>>>>>>>>>> '.repeat(160_000)}</p>` }),
  );
  const listening = await listen(
    siteBeside({ fetch: async () => new Response(null, { status: 404 }) }, rig.site),
    {
      port: 0,
    },
  );
  const { hostname, port } = new URL(listening.url);
  const before = bufferBytes();
  const sockets: Socket[] = [];
  try {
    for (let count = 1; count <= READERS; count += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(`GET /en/articles/${slug} HTTP/1.1\r\nHost: kb.test\r\n\r\n`);
      // The head of the answer is read, and nothing after it.
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      const length = Number(/^content-length: (\d+)/im.exec(head.toString('latin1'))?.[1]);
      expect(length).toBeGreaterThan(PAGE_BYTES_MIN);
    }
    // Each had its own once: seven megabytes for each of them. What is on its way out may last some moments more.
    await expect
      .poll(() => bufferBytes() - before, { timeout: 10_000 })
      .toBeLessThan((READERS * PAGE_BYTES_MIN) / 4);
    const [first] = sockets;
    const whole = await fetch(`${listening.url}/en/articles/${slug}`);
    expect((await whole.text()).endsWith('</html> ')).toBe(true);
    expect(first?.destroyed).toBe(false);
  } finally {
    for (const socket of sockets) socket.destroy();
    await listening.close();
    await rig.close();
  }
});
