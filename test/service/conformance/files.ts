import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../../src/service/api/openapi/openapi.ts';
import { removeFiles, unusedFiles } from '../../../src/service/files/used-files.ts';
import { type FileBytes, filesInPostgres, filesOnDisk } from '../../../src/service/index.ts';
import { createSite } from '../../../src/site/create-site.ts';
import { described } from '../support/described.ts';
import { digestOf, png } from '../support/pictures.ts';
import { ARTICLES, articleBody, type OpenRig, type Reply, rig, type Rig } from '../support/rig.ts';

const SMALL = png(3, 2);
const DAY_MS = 86_400_000;
const addressOf = (bytes: Buffer, name = 'a.png') => `/api/v2/files/${digestOf(bytes)}?name=${name}`;

export function storedFiles(open: OpenRig): void {
  describe('files', () => {
    let service: Rig;
    let bytes: FileBytes;
    const folder = mkdtempSync(join(tmpdir(), 'kbsync-files-'));
    beforeEach(async () => {
      const { store } = await open();
      bytes = store.dialect === 'postgres' ? filesInPostgres(store) : filesOnDisk(join(folder, 'files'));
      service = await rig(store, { files: { bytes, fileBytesMax: 200_000, allBytesMax: 300_000 } });
    });
    afterEach(async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const put = async (body: Buffer | string, name = 'a.png', headers = {}): Promise<Reply> => {
      const sent = Buffer.from(body);
      const response = await service.send(
        new Request(`http://kb.test${addressOf(sent, name)}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${service.key}`, ...headers },
          body: new Uint8Array(sent),
        }),
      );
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Reply['body'],
      };
    };
    const get = (path: string, headers = {}, method = 'GET') =>
      service.send(new Request(`http://kb.test${path}`, { method, headers }));

    test('keeps a picture, tells its sides, and gives every byte back at an address that is kept for ever', async () => {
      const sent = await put(SMALL);
      const url = `/files/${digestOf(SMALL)}/a.png`;
      expect([sent.status, sent.body['data']]).toEqual([
        201,
        { url, type: 'image/png', bytes: SMALL.length, width: 3, height: 2 },
      ]);
      const read = await get(url);
      expect(Buffer.from(await read.arrayBuffer())).toEqual(SMALL);
      expect(Object.fromEntries(read.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-disposition': 'inline',
        'content-length': String(SMALL.length),
      });
      expect(read.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
      const again = await put(SMALL, 'b.png');
      expect([again.status, again.body['data'].url]).toEqual([200, `/files/${digestOf(SMALL)}/b.png`]);
      const known = await get(url, { 'if-none-match': read.headers.get('etag') ?? '' });
      expect([known.status, await known.text()]).toEqual([304, '']);
    });

    test('says with a key whether a file is here, and announces that it keeps files', async () => {
      const missing = await service.ask('GET', `/api/v2/files/${digestOf(SMALL)}`);
      expect([missing.status, missing.headers.get('kb-capabilities')]).toEqual([
        404,
        expect.stringMatching(/, files$/),
      ]);
      await put(SMALL);
      const there = await service.ask('GET', `/api/v2/files/${digestOf(SMALL)}`);
      expect([there.status, there.body['data'].bytes]).toEqual([200, SMALL.length]);
      expect((await get(`/api/v2/files/${digestOf(SMALL)}`)).status).toBe(401);
    });

    test('answers a range, also one that is none', async () => {
      await put(SMALL);
      const url = `/files/${digestOf(SMALL)}/a.png`;
      const part = await get(url, { range: 'bytes=1-3' });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        `bytes 1-3/${SMALL.length}`,
        'PNG',
      ]);
      expect((await get(url, { range: 'bytes=99999-' })).status).toBe(416);
      const head = await get(url, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(SMALL.length)]);
    });

    test('refuses bytes that are not those of the address, not what their name says, or nothing at all', async () => {
      const html = Buffer.from('<!doctype html><script>alert(1)</script>');
      expect((await put(html, 'logo.png')).status).toBe(415);
      expect((await put(Buffer.from([0, 1, 2, 3, 255, 254]), 'a.dat')).status).toBe(415);
      expect((await put('', 'empty.txt')).status).toBe(400);
      const wrong = await service.send(
        new Request(`http://kb.test/api/v2/files/${'0'.repeat(64)}?name=a.png`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${service.key}` },
          body: new Uint8Array(SMALL),
        }),
      );
      expect(wrong.status).toBe(400);
      for (const name of ['..%2Fa.png', '.htaccess', 'a%00.png', 'a%20b.png', 'x'.repeat(101), ''])
        expect([name, (await put(SMALL, name)).status]).toEqual([name, 400]);
      for (const path of ['/files/../kbsync.db', `/files/${'0'.repeat(64)}/..%2f..%2fetc`, '/files/a/b'])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
      expect(await unusedFiles(service.store, Number.MAX_SAFE_INTEGER)).toEqual([]);
    });

    test('a page under another name is saved as text, never opened', async () => {
      const html = '<!doctype html><script>alert(1)</script>';
      const sent = await put(html, 'page.html');
      expect([sent.status, sent.body['data'].type]).toEqual([201, 'text/plain; charset=utf-8']);
      const read = await get(sent.body['data'].url);
      expect(read.headers.get('content-disposition')).toBe('attachment; filename="page.html.txt"');
      const pdf = await put('%PDF-1.7\n%%EOF', 'terms.exe');
      expect((await get(pdf.body['data'].url)).headers.get('content-disposition')).toBe(
        'attachment; filename="terms.exe.pdf"',
      );
    });

    test('a drawing loses its scripts, and one without any keeps its bytes', async () => {
      const clean = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0"/></svg>';
      const kept = await put(clean, 'a.svg');
      expect(kept.body['data']).toMatchObject({ type: 'image/svg+xml', width: 40, height: 20 });
      expect(await (await get(kept.body['data'].url)).text()).toBe(clean);
      const hostile =
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script><g/></svg>';
      const sent = await put(hostile, 'b.svg');
      const read = await (await get(sent.body['data'].url)).text();
      expect(read).toBe('<svg xmlns="http://www.w3.org/2000/svg"><g></g></svg>');
    });

    test('a bomb is refused by what its header says, a body of 4 GB by what it declares', async () => {
      expect((await put(png(60_000, 60_000))).status).toBe(413);
      expect((await put(SMALL, 'a.png', { 'content-length': String(4 * 1024 ** 3) })).status).toBe(413);
      expect((await put('a'.repeat(200_001), 'a.txt')).status).toBe(413);
      expect((await put('a'.repeat(190_000), 'a.txt')).status).toBe(201);
      expect((await put('b'.repeat(190_000), 'b.txt')).status).toBe(413);
    });

    test('a key that may only read stores nothing', async () => {
      const { createKey } = await import('../../../src/service/index.ts');
      const { key } = await createKey({ ...service, name: 'reader', scope: 'read' });
      const refused = await put(SMALL, 'a.png', { authorization: `Bearer ${key}` });
      expect(refused.status).toBe(403);
    });

    test('the sweep takes what nobody names and nobody asked for', async () => {
      const [named, asked, left] = [png(1, 1), png(2, 1), png(3, 1)];
      for (const one of [named, asked, left]) await put(one);
      await service.make(
        ARTICLES,
        articleBody({
          content: `<p><img src="/files/${digestOf(named)}/a.png" alt=""></p>`,
          status: 'draft',
        }),
      );
      service.clock.set(service.clock.now() + 40 * DAY_MS);
      await service.ask('GET', `/api/v2/files/${digestOf(asked)}`);
      const before = (service.clock.now() - 30 * DAY_MS) * 1000;
      const unused = await unusedFiles(service.store, before);
      expect(unused.map(({ digest }) => digest)).toEqual([digestOf(left)]);
      await removeFiles(service.store, bytes, unused);
      expect((await get(`/files/${digestOf(left)}/a.png`)).status).toBe(404);
      expect((await get(`/files/${digestOf(asked)}/a.png`)).status).toBe(200);
      expect(await bytes.read(digestOf(left), 0, 1)).toBeUndefined();
      expect((await put(left)).status).toBe(201);
    });

    test('a page of the site shows a stored picture with its sides', async () => {
      await put(SMALL);
      const content = `<p><img src="/files/${digestOf(SMALL)}/a.png" alt="A"></p>`;
      await service.make(ARTICLES, articleBody({ content }));
      const site = createSite({ store: service.store });
      const page = await (await site.fetch(new Request('http://kb.test/en/articles/install'))).text();
      expect(page).toContain(`<img width="3" height="2" src="/files/${digestOf(SMALL)}/a.png" alt="A"`);
    });

    test('the OpenAPI document says what is answered', async () => {
      const served = await service.ask('GET', '/openapi.json');
      expect(Object.keys(served.body['paths'])).toContain('/api/v2/files/{digest}');
      const api = described(openApiDocument(undefined, { hasFiles: true }));
      const one = `/api/v2/files/${digestOf(SMALL)}`;
      const replies: readonly (readonly [number, string, Reply])[] = [
        [404, 'readFile', await service.ask('GET', one)],
        [201, 'storeFile', await put(SMALL)],
        [200, 'storeFile', await put(SMALL)],
        [200, 'readFile', await service.ask('GET', one)],
        [400, 'readFile', await service.ask('GET', '/api/v2/files/x')],
        [415, 'storeFile', await put('<html>', 'a.png')],
        [413, 'storeFile', await put(png(60_000, 60_000))],
        [401, 'storeFile', await put(SMALL, 'a.png', { authorization: 'Bearer no' })],
      ];
      for (const [status, name, reply] of replies)
        expect([name, reply.status, api.problems(name, reply)]).toEqual([name, status, []]);
      const other = await service.ask('DELETE', one);
      expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, PUT, HEAD']);
    });
  });
}
