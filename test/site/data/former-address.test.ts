import { afterAll, describe, expect, test } from 'vitest';
import { openPostgres, openSqlite, type Store } from '../../../src/service/index.ts';
import { createSite } from '../../../src/site/create-site.ts';
import {
  ARTICLES,
  type Ask,
  articleBody,
  CATEGORIES,
  categoryBody,
  rig,
  tagBody,
  TAGS,
} from '../../service/support/rig.ts';
import { createRandom } from '../../service/support/random.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';

/** 10,000 in the campaign. */
const WRITES = Number(process.env['KBSYNC_RENAMES'] ?? 150);
const SLUGS = 40;

interface Opened {
  readonly ask: Ask;
  readonly make: (path: string, body: object) => Promise<string>;
  readonly close: () => Promise<void>;
  /** Of an article, in English; the write must be taken. */
  readonly edit: (id: string, values: object) => Promise<void>;
  readonly visit: (path: string) => Promise<{ readonly status: number; readonly to: string | null }>;
}

async function opened(store: Store): Promise<Opened> {
  const service = await rig(store);
  const { fetch } = createSite({ store, languages: ['en', 'fr'] });
  return {
    ask: service.ask,
    make: (path, body) => service.make(path, body),
    close: () => service.close(),
    async edit(id, values) {
      const reply = await service.ask('POST', `${ARTICLES}/${id}`, { ...articleBody(values), lang: 'en' });
      expect(reply).toMatchObject({ status: 200 });
    },
    async visit(path) {
      const response = await fetch(new Request(`http://kb.test${path}`));
      await response.text();
      return { status: response.status, to: response.headers.get('location') };
    },
  };
}

const DRAFT = { status: 'draft' };

function laws(name: string, open: () => Promise<Store>): void {
  describe(`old addresses over ${name}`, () => {
    test('lead in one hop to where the article is now, after any number of renames', async () => {
      const { make, edit, visit, close } = await opened(await open());
      const id = await make(ARTICLES, articleBody({ slug: 'a' }));
      for (const slug of ['b', 'c', 'd']) await edit(id, { slug });
      for (const slug of ['a', 'b', 'c']) {
        expect(await visit(`/en/articles/${slug}`)).toEqual({ status: 301, to: '/en/articles/d' });
        expect(await visit(`/en/articles/${slug}/`)).toEqual({ status: 301, to: '/en/articles/d' });
        expect(await visit(`/en/articles/${slug}.md`)).toEqual({ status: 301, to: '/en/articles/d.md' });
        expect(await visit(`/fr/articles/${slug}`)).toEqual({ status: 301, to: '/fr/articles/d' });
      }
      expect((await visit('/en/articles/d')).status).toBe(200);
      await edit(id, { slug: 'a' });
      expect((await visit('/en/articles/a')).status).toBe(200);
      expect(await visit('/en/articles/d')).toEqual({ status: 301, to: '/en/articles/a' });
      await close();
    });

    test('belong to a new record that takes them, once it is public, and then to it alone', async () => {
      const { make, edit, ask, visit, close } = await opened(await open());
      const first = await make(ARTICLES, articleBody({ slug: 'old' }));
      await edit(first, { slug: 'new' });
      const second = await make(ARTICLES, articleBody({ slug: 'old', ...DRAFT }));
      expect(await visit('/en/articles/old')).toEqual({ status: 301, to: '/en/articles/new' });
      await edit(second, { slug: 'old' });
      expect((await visit('/en/articles/old')).status).toBe(200);
      await edit(second, { slug: 'newer' });
      expect(await visit('/en/articles/old')).toEqual({ status: 301, to: '/en/articles/newer' });
      await ask('DELETE', `${ARTICLES}/${second}`);
      expect((await visit('/en/articles/old')).status).toBe(410);
      expect((await visit('/en/articles/newer')).status).toBe(410);
      await close();
    });

    test('are nobody’s if only drafts had them, and wait for an article that is withdrawn', async () => {
      const { make, edit, visit, close } = await opened(await open());
      const id = await make(ARTICLES, articleBody({ slug: 'secret', ...DRAFT }));
      await edit(id, { slug: 'launch', ...DRAFT });
      await edit(id, { slug: 'launch' });
      expect((await visit('/en/articles/secret')).status).toBe(404);
      await edit(id, { slug: 'launch', ...DRAFT });
      expect((await visit('/en/articles/launch')).status).toBe(404);
      await edit(id, { slug: 'launched', ...DRAFT });
      await edit(id, { slug: 'launched' });
      expect(await visit('/en/articles/launch')).toEqual({ status: 301, to: '/en/articles/launched' });
      await close();
    });

    test('of a translation lead to it, and to the original when it is deleted', async () => {
      const { make, ask, visit, close } = await opened(await open());
      const id = await make(ARTICLES, articleBody({ slug: 'install' }));
      const translate = (slug: string) =>
        ask('POST', `${ARTICLES}/${id}`, { ...articleBody({ slug }), lang: 'fr' });
      await translate('installer');
      await translate('installation');
      expect(await visit('/fr/articles/installer')).toEqual({ status: 301, to: '/fr/articles/installation' });
      const translation = (await ask('GET', `${ARTICLES}/${id}?lang=fr`)).body['data'].id;
      await ask('DELETE', `${ARTICLES}/${translation}`);
      for (const slug of ['installer', 'installation']) {
        expect(await visit(`/fr/articles/${slug}`)).toEqual({ status: 301, to: '/fr/articles/install' });
      }
      expect((await visit('/fr/articles/install')).status).toBe(200);
      await close();
    });

    test(
      `that ever were public answer 200, 301 in one hop or 410 after ${WRITES} random writes`,
      { timeout: 1_800_000 },
      async () => {
        const { make, ask, visit, close } = await opened(await open());
        const random = createRandom(15);
        const slugs = Array.from({ length: SLUGS }, (_, at) => `slug-${at}`);
        const kinds = {
          articles: { path: ARTICLES, body: articleBody },
          categories: { path: CATEGORIES, body: categoryBody },
          tags: { path: TAGS, body: tagBody },
        } as const;
        type Kind = keyof typeof kinds;
        /** id → slug in each language, what the service was told and took. */
        const now: Record<Kind, Map<string, Record<string, string>>> = {
          articles: new Map(),
          categories: new Map(),
          tags: new Map(),
        };
        /** Address → id of the record that was there last. */
        const ever = new Map<string, { readonly kind: Kind; readonly id: string; readonly lang: string }>();
        // A category or tag without an article is not public, so one article keeps each.
        const keep = async (): Promise<void> => {
          const values = (kind: 'categories' | 'tags') => [...now[kind].keys()].map((value) => ({ value }));
          const body = articleBody({
            slug: 'keeper',
            categories: values('categories'),
            tags: values('tags'),
          });
          const reply = await ask('POST', `${ARTICLES}/${keeper}`, { ...body, lang: 'en' });
          expect(reply).toMatchObject({ status: 200 });
        };
        const keeper = await make(ARTICLES, articleBody({ slug: 'keeper' }));
        let refused = 0;
        for (let write = 0; write < WRITES; write += 1) {
          const kind = random.pick(['articles', 'articles', 'categories', 'tags'] as const);
          const { path, body } = kinds[kind];
          const slug = random.pick(slugs);
          const ids = [...now[kind].keys()];
          const action = random.below(100);
          if (ids.length < 6 && action < 30) {
            const reply = await ask('PUT', path, body({ slug }));
            const id = reply.headers.get('location')?.split('/').at(-1);
            if (reply.status !== 201 || id === undefined) continue;
            now[kind].set(id, { en: slug });
            ever.set(`/en/${kind}/${slug}`, { kind, id, lang: 'en' });
            if (kind !== 'articles') await keep();
          } else if (ids.length > 0 && action > 93) {
            const id = random.pick(ids);
            const french = await ask('GET', `${path}/${id}?lang=fr`);
            if (french.body['newVersion'] === false) await ask('DELETE', `${path}/${french.body['data'].id}`);
            now[kind].delete(id);
            if (kind !== 'articles') await keep();
            refused += Number((await ask('DELETE', `${path}/${id}`)).status !== 200);
          } else if (ids.length > 0) {
            const id = random.pick(ids);
            const lang = random.pick(['en', 'en', 'fr']);
            const reply = await ask('POST', `${path}/${id}`, {
              ...body({ slug }),
              ...(kind === 'tags' ? { id } : {}),
              lang,
            });
            if (reply.status !== 200) continue;
            now[kind].set(id, { ...now[kind].get(id), [lang]: slug });
            ever.set(`/${lang}/${kind}/${slug}`, { kind, id, lang });
          }
        }
        expect(refused).toBe(0);
        expect(ever.size).toBeGreaterThan(40);
        const seen: Record<number, number> = {};
        for (const [address, { kind, id, lang }] of ever) {
          const { status, to } = await visit(address);
          seen[status] = (seen[status] ?? 0) + 1;
          const slugsNow = now[kind].get(id);
          const path = (slug: string | undefined) => `/${lang}/${kind}/${slug ?? 'nowhere'}`;
          const home = path(slugsNow?.[lang] ?? slugsNow?.['en']);
          const there = to === null ? 200 : (await visit(to)).status;
          expect(there, `${address} → ${to}`).toBe(200);
          // A slug that another language of a living record has now leads to that record.
          const isTaken = [...now[kind].values()].some((own) =>
            Object.values(own).some((slug) => path(slug) === address),
          );
          const moved = `301 ${home}`;
          const answer = status === 301 && slugsNow !== undefined ? `301 ${to}` : String(status);
          expect(isTaken ? ['200', '302'] : slugsNow === undefined ? ['410', '301'] : [moved]).toContain(
            answer,
          );
        }
        expect(Object.keys(seen)).toEqual(expect.arrayContaining(['200', '301', '410']));
        await close();
      },
    );
  });
}

laws('SQLite', async () => openSqlite({ file: ':memory:' }));

describe.skipIf(postgresMissing() !== undefined)('PostgreSQL', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.remove());
  laws('PostgreSQL', async () => {
    server ??= await startPostgres();
    return openPostgres({ url: await server.freshUrl() });
  });
});
