import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

/** The spec and nothing more: none of the headers by which our own service fills its gaps. */
const plain =
  (send: Send): Send =>
  async (request) => {
    const headers = new Headers(request.headers);
    for (const name of ['If-Match', 'Idempotency-Key']) headers.delete(name);
    const body = request.method === 'GET' ? null : await request.text();
    const response = await send(
      new Request(request.url, { method: request.method, headers, body: body === '' ? null : body }),
    );
    for (const name of ['KB-Capabilities', 'KB-Last-Edited', 'X-Total-Count', 'Location', 'ETag'])
      response.headers.delete(name);
    return response;
  };

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
  rig.wrap = plain;
});
afterEach(() => rig.close());

const DOCS = {
  'category/guide@en': {},
  'category/guide/start@en': { fields: { categoryParent: 'category/guide' } },
  'tag/cli@en': {},
  'tag/api@en': {},
  'article/install@en': { fields: { categories: ['category/guide/start'], tags: ['tag/cli'] } },
  'article/install@fr': { fields: { categories: ['category/guide/start'] } },
  'article/upgrade@en': { fields: { categories: ['category/guide'] } },
} as const;

describe('a service that does what the spec says and no more', () => {
  test('gets every record once, and the second run makes three requests', async () => {
    const first = await rig.sync(desiredState(DOCS));
    expect(first.results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
    const second = await rig.sync(desiredState(DOCS));
    expect(second.summary).toMatchObject({ unchanged: 7, created: 0, updated: 0, drift: 0, conflict: 0 });
    expect(second.requests).toBe(3);
  });

  test('costs at most 2N + 6 requests for N new articles', async () => {
    const count = 40;
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`article/a${index}@en`, {}] as const),
    );
    const report = await rig.sync(desiredState(files));
    expect(report.summary.created).toBe(count);
    expect(report.requests).toBeLessThanOrEqual(2 * count + 6);
    expect((await rig.sync(desiredState(files))).requests).toBe(3);
  });

  test('tells two new articles of one name apart by slug', async () => {
    const files = {
      'article/a@en': { fields: { title: 'Same' } },
      'article/b@en': { fields: { title: 'Same' } },
    };
    const report = await rig.sync(desiredState(files));
    expect(report.summary).toMatchObject({ created: 2, pending: 0, failed: 0 });
    expect((await rig.sync(desiredState(files))).summary).toMatchObject({ unchanged: 2 });
  });

  test('is read again before a write when the read of the plan is old', async () => {
    await rig.sync(desiredState(DOCS));
    let edits = 0;
    rig.wrap = (send) => async (request) => {
      if (request.method === 'POST') edits += 1;
      const response = await plain(send)(request);
      if (request.method === 'GET' && /articles\/./.test(new URL(request.url).pathname))
        rig.clock.advance(3000);
      return response;
    };
    const changed = {
      ...DOCS,
      'article/install@en': { ...DOCS['article/install@en'], body: '<p>new</p>' },
      'article/upgrade@en': { ...DOCS['article/upgrade@en'], body: '<p>new</p>' },
    };
    const before = rig.sent.length;
    expect((await rig.sync(desiredState(changed), { concurrencyMax: 1 })).summary).toMatchObject({
      updated: 2,
    });
    expect(edits).toBe(2);
    const reads = rig.sent
      .slice(before)
      .filter(({ method, path }) => method === 'GET' && /articles\/./.test(path));
    // For the plan; before each write again, a few times, because every read here takes longer than a read may be old, counted from
    // the moment when it was sent; back after it.
    expect(reads.length).toBeGreaterThanOrEqual(2 + 2 * 2 + 2);
    expect(reads.length).toBeLessThanOrEqual(2 + 2 * 6 + 2);
  });
});

describe('a service that ignores `lang`', () => {
  const ignoring: (send: Send) => Send = (send) => async (request) => {
    const url = new URL(request.url);
    url.searchParams.delete('lang');
    const text = request.method === 'GET' ? '' : await request.text();
    const body =
      request.method === 'POST' ? JSON.stringify({ ...(JSON.parse(text) as object), lang: 'en' }) : text;
    return plain(send)(
      new Request(url, { method: request.method, headers: request.headers, body: body === '' ? null : body }),
    );
  };

  test('loses no original: the first translation is checked, put back, and no other is sent', async () => {
    rig.wrap = ignoring;
    const files = { ...DOCS, 'article/upgrade@fr': {}, 'article/upgrade@de': {} };
    const report = await rig.sync(desiredState(files));
    const { items } = await rig.editor().list('article');
    expect(items.map(({ name }) => name).sort()).toEqual(['install in en', 'upgrade in en']);
    expect(report.results.filter(({ outcome }) => outcome === 'done').map(({ key }) => key)).toEqual(
      Object.keys(DOCS)
        .filter((key) => key.endsWith('@en'))
        .sort((a, b) => rank(report.results, a) - rank(report.results, b)),
    );
    const said = report.results.filter(({ outcome }) => outcome !== 'done').map(({ message }) => message);
    expect(said.some((message) => message.includes('ignored `lang`'))).toBe(true);
    for (const { id, name } of items) {
      const read = await rig.editor().read('article', id);
      expect(read).toMatchObject({ record: { fields: { title: name } } });
    }
  });

  test('loses no original where it also rewrites what it is sent', async () => {
    const signed: (send: Send) => Send = (send) => async (request) => {
      if (request.method === 'GET') return send(request);
      const body = JSON.parse(await request.text()) as Record<string, unknown>;
      for (const name of ['content', 'longDescription'])
        if (typeof body[name] === 'string')
          body[name] = `${body[name].replaceAll(/<!--.*?-->/g, '')}<p>Was this helpful?</p>`;
      const { url, method, headers } = request;
      return send(new Request(url, { method, headers, body: JSON.stringify(body) }));
    };
    rig.wrap = (send) => ignoring(signed(send));
    const report = await rig.sync(desiredState({ ...DOCS, 'article/upgrade@fr': {} }));
    const { items } = await rig.editor().list('article');
    expect(items.map(({ name }) => name).sort()).toEqual(['install in en', 'upgrade in en']);
    const translations = report.results.filter(({ lang }) => lang !== 'en');
    expect(translations.map(({ outcome }) => outcome)).not.toContain('done');
  });
});

function rank(results: readonly { readonly key: string }[], key: string): number {
  return results.findIndex((result) => result.key === key);
}

describe('a service that rewrites what it stores', () => {
  test('is in sync after one run when it rewrites HTML and drops comments', async () => {
    rig.wrap = (send) => async (request) => {
      if (request.method !== 'PUT' && request.method !== 'POST') return plain(send)(request);
      const body = (await request.json()) as { content?: string };
      const content = body.content
        ?.replaceAll(/<!--.*?-->/g, '')
        .replaceAll('<p>', '<p class="x">')
        .trim();
      const text = JSON.stringify({ ...body, ...(content === undefined ? {} : { content }) });
      return plain(send)(
        new Request(request.url, { method: request.method, headers: request.headers, body: text }),
      );
    };
    await rig.sync(desiredState(DOCS));
    const report = await rig.sync(desiredState(DOCS));
    expect(report.summary).toMatchObject({ unchanged: 7, updated: 0, drift: 0, conflict: 0 });
    expect(report.requests).toBe(3);
  });

  test('fails a create whose slug it changed, and says which slug it stored', async () => {
    rig.wrap = (send) => async (request) => {
      if (request.method !== 'PUT') return plain(send)(request);
      const body = (await request.json()) as { slug: string };
      return plain(send)(
        new Request(request.url, {
          method: 'PUT',
          headers: request.headers,
          body: JSON.stringify({ ...body, slug: `${body.slug}-1` }),
        }),
      );
    };
    const report = await rig.sync(desiredState({ 'article/install@en': {} }));
    expect(report.results).toMatchObject([{ outcome: 'failed' }]);
    expect(report.results[0]?.message).toContain('stored the slug "install-1" instead of "install"');
    expect((await rig.sync(desiredState({ 'article/install@en': {} }))).summary).toMatchObject({
      created: 0,
      drift: 1,
    });
  });
});

describe('a service that makes quotes round, in code too, and strips comments', () => {
  const typographer: (send: Send) => Send = (send) => async (request) => {
    if (request.method === 'GET') return plain(send)(request);
    const body = JSON.parse(await request.text()) as { content?: string };
    const content = body.content
      ?.replaceAll(/\s*<!--[^>]*-->/g, '')
      .replaceAll(/(<[^>]*>)|"([^"]*)"/g, (whole, tag: string | undefined, words: string) =>
        tag === undefined ? `“${words}”` : whole,
      );
    const { method, headers, url } = request;
    return plain(send)(
      new Request(url, {
        method,
        headers,
        body: JSON.stringify({ ...body, ...(content === undefined ? {} : { content }) }),
      }),
    );
  };

  test('gets each page once, and it is known at once', async () => {
    rig.wrap = typographer;
    const code = (name: string) => `<p>${name}</p><pre><code>say "${name}"</code></pre>`;
    const files = { 'article/a@en': { body: code('one') }, 'article/b@en': { body: code('two') } };
    const report = await rig.sync(desiredState(files));
    expect(report.results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['done', 'created'],
      ['done', 'created'],
    ]);
    expect((await rig.sync(desiredState(files))).summary).toMatchObject({
      created: 0,
      pending: 0,
      conflict: 0,
    });
  });
});
