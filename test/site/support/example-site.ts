import { join } from 'node:path';
import { loadDesired } from '../../../src/content/load-content.ts';
import { addVersion, createApp, createKey, listen } from '../../../src/service/index.ts';
import { siteBeside } from '../../../src/site/with-service.ts';
import { createSite } from '../../../src/site/create-site.ts';
import { createRig } from '../../support/rig.ts';

export interface ExampleSite {
  readonly url: string;
  /** A write over the API; answers the id that `Location` names. */
  write(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<string>;
  /** The id of an article by its English title. */
  idOf(title: string): Promise<string>;
  close(): Promise<void>;
}

/** `content-example`, sent by the real sync to the real service, and its site on a loopback socket. */
export async function exampleSite(): Promise<ExampleSite> {
  const rig = await createRig();
  const root = join(import.meta.dirname, '../../..');
  const { state } = await loadDesired({
    contentDir: 'content-example',
    cwd: root,
    defaultLanguage: 'en',
    languages: {},
    preset: 'kbsync',
    fields: {},
    defaults: { status: 'published' },
    urls: {
      article: '/{lang}/articles/{slug}',
      category: '/{lang}/categories/{slug}',
      tag: '/{lang}/tags/{slug}',
    },
    assetsBaseUrl: 'https://cdn.example.com/lumen/',
    html: 'sanitize',
    nowMs: Date.parse('2026-11-22T12:00:00Z'),
    ignoreKeys: [],
    allow: new Set(),
  });
  const report = await rig.sync(state);
  const { created, failed, pending } = report.summary;
  if (created === 0 || failed + pending > 0) throw new Error('bug: the example does not sync');
  const { store, clock } = rig;
  const { key } = await createKey({ store, clock, name: 'writer' });
  await addVersion(
    { store, clock },
    {
      version: '2.4.0',
      name: 'Spring',
      releasedAtMs: Date.parse('2026-05-01T00:00:00Z'),
      active: true,
      released: true,
      features: [{ name: 'Templates', description: 'Start from one of your own.' }],
    },
  );
  const app = createApp({ store, clock });
  const site = createSite({ store, name: 'Lumen Help', feedback: { clock }, viewsPauseMs: 0 });
  const listening = await listen(siteBeside(app, site), { port: 0 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    url: listening.url,
    async write(method, path, body) {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const reply = await app.fetch(new Request(`http://kb.test${path}`, init));
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
      return reply.headers.get('location')?.replace(/^.*\//, '') ?? '';
    },
    async idOf(title) {
      const row = await store.read((sql) =>
        sql.get<{ readonly id: string }>(
          'select id from articles where name = ? and language is null',
          title,
        ),
      );
      if (row === undefined) throw new Error(`no article ${title}`);
      return row.id;
    },
    async close() {
      await listening.close();
      await rig.close();
    },
  };
}
