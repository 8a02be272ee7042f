import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/service/index.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { ARTICLES, articleBody, rig } from '../support/rig.ts';

describe.skipIf(postgresMissing() !== undefined)('a PostgreSQL store behind a line that is cut', () => {
  let server: PostgresServer;
  /** Forwards bytes, and can swallow the answer to the next commit and cut the line, before or after the server has it. */
  let line: Server;
  let cut: 'never' | 'before the commit arrives' | 'before its answer' = 'never';
  let port: number;
  beforeAll(async () => {
    server = await startPostgres();
    const folder = new URL(server.url).searchParams.get('host') ?? '';
    line = createServer((near) => forward(near, connect(join(folder, '.s.PGSQL.5432'))));
    await new Promise<void>((resolve) => {
      line.listen(0, '127.0.0.1', resolve);
    });
    port = Number(Object(line.address()).port);
  });
  afterAll(async () => {
    line.close();
    await server.remove();
  });

  function forward(near: Socket, far: Socket): void {
    let isSwallowing = false;
    // Other writes, such as when a key was last used, commit on their own.
    let isCreating = false;
    near.on('data', (bytes) => {
      isCreating ||= bytes.includes('insert into articles');
      if (cut !== 'never' && isCreating && bytes.includes('commit\0')) {
        if (cut === 'before the commit arrives') {
          near.destroy();
          far.destroy();
          cut = 'never';
          return;
        }
        isSwallowing = true;
        cut = 'never';
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isSwallowing) near.destroy();
      else near.write(bytes);
    });
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  test.each([
    ['before the commit arrives', 0],
    ['before its answer', 1],
  ] as const)(
    'a line cut %s leaves the write unclear: 503, no Retry-After, never success',
    async (when, kept) => {
      const options = new URL(await server.freshUrl()).searchParams.get('options') ?? '';
      const through = `postgres://kbsync@127.0.0.1:${port}/postgres?options=${encodeURIComponent(options)}`;
      const service = await rig(await openPostgres({ url: through }));
      cut = when;
      const reply = await service.ask('PUT', ARTICLES, articleBody());
      expect([reply.status, reply.headers.get('retry-after'), reply.body]).toEqual([
        503,
        null,
        { success: false, message: 'the commit failed; the write may or may not be kept' },
      ]);
      expect((await service.ask('GET', ARTICLES)).body['data']).toHaveLength(kept);
      await service.close();
    },
  );
});
