import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Send } from '../../../../src/remote/remote.ts';
import { ODD_SERVICES, oddService } from '../../../support/odd-services/odd-services.ts';
import { changedResponse, jsonOf } from '../../../support/odd-services/seam.ts';
import type { Json } from '../../../support/odd-services/seam.ts';
import { fill } from '../../support/migrate-content.ts';
import {
  migrateWorld,
  ORIGINS,
  writes,
  type KnowledgeBase,
  type MigrateWorld,
} from '../../support/migrate-world.ts';

let world: MigrateWorld;

beforeEach(async () => {
  world = await migrateWorld();
});

afterEach(() => world.close());

async function articleOf({ read }: KnowledgeBase, slug: string): Promise<Json> {
  // Lists and records of the service have these shapes; a test that reads `undefined` fails.
  const { data } = (await read('articles')) as { data: readonly { id: string }[] };
  for (const { id } of data) {
    const found = (await read(`articles/${id}`)) as { data: Json };
    if (found.data['slug'] === slug) return found.data;
  }
  throw new Error(`test: no article has the slug ${slug}`);
}

/** Changes what single reads show, as a service of another kind would. */
function showing(path: string, change: (record: Json) => Json): (send: Send) => Send {
  return (send) => async (request) => {
    const response = await send(request);
    const { pathname, search } = new URL(request.url);
    if (request.method !== 'GET' || `${pathname}${search}` !== `/api/v2/${path}`) return response;
    const body = await jsonOf(response);
    return changedResponse(response, { ...body, data: change(body['data'] as Json) });
  };
}

describe('a migration', () => {
  test('brings every record with its relations and languages, compares both sides, and only reads the source', async () => {
    await fill(world.from);
    const ran = await world.migrate();
    expect(ran.stderr).toBe('');
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('9 created, 0 unchanged');
    expect(ran.stdout).toContain('both sides equal: 9 records compared');
    expect(ran.stdout).toContain('not copied');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
    expect(writes(world.from)).toEqual([]);
    expect(writes(world.to)).toHaveLength(9);
  });

  test('keeps statuses, search visibility, review dates, banners and ordering', async () => {
    await fill(world.from);
    await world.migrate();
    expect(await articleOf(world.to, 'install')).toMatchObject({
      status: 'published',
      order_by: 3,
      seo_banner_url: 'https://cdn.acme.test/banner.png',
      article_review_date: '2027-01-31T00:00:00.000Z',
    });
    expect(await articleOf(world.to, 'refunds')).toMatchObject({ hide_from_search: true });
    expect(await articleOf(world.to, 'plans')).toMatchObject({ status: 'draft' });
    const { id } = await articleOf(world.to, 'install');
    expect((await world.to.read(`articles/${String(id)}?lang=fr`))['data']).toMatchObject({
      status: 'draft',
      seo_banner_url: null,
      name: 'Installer',
    });
  });

  test('writes nothing the second time', async () => {
    await fill(world.from);
    await world.migrate();
    world.to.sent.length = 0;
    const ran = await world.migrate();
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('in sync: 9 unchanged');
    expect(ran.stdout).toContain('both sides equal');
    expect(writes(world.to)).toEqual([]);
  });

  test('writes nothing the second time although its state is lost', async () => {
    await fill(world.from);
    await world.migrate();
    world.to.sent.length = 0;
    const ran = await world.migrate('--state', 'other/state.json');
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('both sides equal');
    expect(writes(world.to)).toEqual([]);
  });

  test('brings what was edited, added and renamed since, to the same records', async () => {
    const { install } = await fill(world.from);
    await world.migrate();
    const { id } = await articleOf(world.to, 'install');
    await world.from.edit('articles', install, {
      title: 'Set up',
      slug: 'set-up',
      categories: [],
      excerpt: '',
      ordering: 3,
      status: 'published',
      content: '<p>New.</p>',
      lang: 'en',
    });
    await world.from.put('tags', { name: 'New', slug: 'new' });
    const ran = await world.migrate();
    // The article, and the one that named it with its host: its link is dead on the source too.
    expect(ran.stdout).toContain('1 created, 2 updated');
    expect(ran.exit).toBe(0);
    expect((await articleOf(world.to, 'set-up'))['id']).toBe(id);
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('keeps what the source does not have any more, and deletes it with --prune', async () => {
    const { plans } = await fill(world.from);
    await world.migrate();
    await world.from.remove('articles', plans);
    const kept = await world.migrate();
    expect(kept.stdout).toContain('1 record of earlier runs kept');
    expect(writes(world.to).some((text) => text.startsWith('DELETE'))).toBe(false);
    const pruned = await world.migrate('--prune');
    expect(pruned.stdout).toContain('1 deleted');
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('with fewer languages keeps links to pages of the others on the target', async () => {
    const { plans } = await fill(world.from);
    const french = `${ORIGINS.from}/fr/articles/installer`;
    await world.from.edit('articles', plans, {
      title: 'Plans',
      slug: 'plans',
      status: 'draft',
      categories: [],
      tags: [],
      excerpt: '',
      ordering: 3,
      content: `<p><a href="${french}">French</a></p>`,
      lang: 'en',
    });
    await world.migrate();
    world.to.sent.length = 0;
    const ran = await world.migrate('--lang', 'en');
    expect(ran.exit).toBe(0);
    expect(writes(world.to)).toEqual([]);
    expect((await articleOf(world.to, 'plans'))['content']).toContain(`${ORIGINS.to}/fr/articles/installer`);
  });

  test('does not go on without the names that its state stands on', async () => {
    await fill(world.from);
    await world.migrate();
    const names = (await world.states()).find((name) => name.endsWith('.names')) ?? '';
    await rm(join(world.cwd, '.kbsync', names));
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('it is missing beside the state');
  });

  test('saves no state without the names that it will stand on', async () => {
    await fill(world.from);
    await world.migrate();
    const inTheWay = join(world.cwd, 'other/state.json.names');
    world.to.wrap = (send) => async (request) => {
      await mkdir(join(inTheWay, 'full'), { recursive: true });
      return send(request);
    };
    const stopped = await world.migrate('--state', 'other/state.json');
    expect(stopped.exit).not.toBe(0);
    world.to.wrap = (send) => send;
    await rm(inTheWay, { recursive: true });
    const ran = await world.migrate('--state', 'other/state.json');
    expect(ran.stderr).toBe('');
    expect(ran.exit).toBe(0);
  });

  test('takes the stamps of the source’s own syncs off', async () => {
    const content = '<p>Text.</p>\n<!-- kbsync 1 article/guides/text@en title:3f9c2ab41e -->';
    const article = { title: 'Text', slug: 'text', categories: [], excerpt: '', ordering: 0 };
    await world.from.put('articles', { ...article, status: 'published', content });
    await world.migrate('--no-stamp');
    expect((await articleOf(world.to, 'text'))['content']).toBe('<p>Text.</p>');
  });

  test('names records as the sync that wrote them did', async () => {
    const content = '<p>Text.</p>\n<!-- kbsync 1 article/guides/text@en title:3f9c2ab41e -->';
    const article = { title: 'Text', slug: 'text', categories: [], excerpt: '', ordering: 0 };
    await world.from.put('articles', { ...article, status: 'published', content });
    const ran = await world.migrate('--dry-run');
    expect(ran.stdout).toContain('+ article  guides/text');
  });
});

describe('links among the pages', () => {
  test('lead to the target, with a host where they had one, and nothing else of the HTML changes', async () => {
    await fill(world.from);
    await world.migrate('--no-stamp', '--to-article-url', '/{lang}/help/{slug}');
    expect((await articleOf(world.to, 'install'))['content']).toBe(
      '<p>See <a href="/en/help/refunds#how">refunds</a>.</p>',
    );
    expect((await articleOf(world.to, 'refunds'))['content']).toBe(
      `<p><a href="${ORIGINS.to}/en/help/install?a=1&amp;b=2">whole</a> <a href="install">beside</a></p>`,
    );
  });

  test('are counted where they still lead to the source', async () => {
    const content = `<p><a href="/en/articles/gone">x</a><img src="${ORIGINS.from}/a.png"></p>`;
    const article = { title: 'Text', slug: 'text', categories: [], excerpt: '', ordering: 0 };
    const seoBannerUrl = `${ORIGINS.from}/banner.png`;
    await world.from.put('articles', { ...article, status: 'published', content, seoBannerUrl });
    const ran = await world.migrate('--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      links: {
        moved: 0,
        left: [
          { key: 'article/text@en', url: `${ORIGINS.from}/en/articles/gone` },
          { key: 'article/text@en', url: `${ORIGINS.from}/a.png` },
          { key: 'article/text@en', url: `${ORIGINS.from}/banner.png` },
        ],
      },
    });
  });

  test('are saved as a redirect map, without drafts, and with --redirects-all where only the host differs', async () => {
    await fill(world.from);
    const ran = await world.migrate(
      '--to-article-url',
      '/{lang}/help/{slug}',
      '--redirects',
      'redirects.csv',
    );
    expect(ran.stderr).toContain('2 redirects in redirects.csv');
    expect(await world.readFile('redirects.csv')).toBe(
      [
        'from,to,kind,lang',
        `${ORIGINS.from}/en/articles/install,${ORIGINS.to}/en/help/install,article,en`,
        `${ORIGINS.from}/en/articles/refunds,${ORIGINS.to}/en/help/refunds,article,en`,
        '',
      ].join('\r\n'),
    );
    await world.migrate(
      '--to-article-url',
      '/{lang}/help/{slug}',
      '--redirects',
      'all.csv',
      '--redirects-all',
    );
    const all = (await world.readFile('all.csv')).split('\r\n');
    expect(all).toHaveLength(1 + 5 + 2 + 1);
    expect(all).toContain(
      `${ORIGINS.from}/fr/categories/debut,${ORIGINS.to}/fr/categories/debut,category,fr`,
    );
  });
});

describe('a redirect map', () => {
  const MOVED = ['--to-article-url', '/{lang}/help/{slug}', '--redirects', 'map.csv'] as const;

  test('takes the place of an older one and of nothing else', async () => {
    await fill(world.from);
    await world.write('map.csv', 'baseUrl: https://help.acme.test\n');
    const refused = await world.migrate(...MOVED);
    expect(refused.exit).toBe(4);
    expect(refused.stderr).toContain('`map.csv` exists and is not a redirect map');
    expect(await world.readFile('map.csv')).toBe('baseUrl: https://help.acme.test\n');
    expect(world.from.sent).toEqual([]);
    await world.write('map.csv', '');
    expect((await world.migrate(...MOVED)).exit).toBe(0);
    const first = await world.readFile('map.csv');
    expect((await world.migrate(...MOVED)).exit).toBe(0);
    expect(await world.readFile('map.csv')).toBe(first);
  });

  test.each([
    [[], 'install-1', ''],
    [['--no-verify'], undefined, ', without 1 page whose new address is not known'],
  ] as const)('leads to no page of which nobody knows that it is there %j', async (flags, slug, without) => {
    const { install } = await fill(world.from);
    const french = { title: 'Installer', slug: 'install', status: 'published', lang: 'fr' };
    const rest = { categories: [], tags: [], excerpt: '', ordering: 3, content: '<p>Voir.</p>' };
    await world.from.edit('articles', install, { ...french, ...rest });
    world.to.wrap = oddService(ODD_SERVICES.stored['slug-suffixed'], { now: () => world.now(), harm: [] });
    const told = `${slug === undefined ? 2 : 3} redirects in map.csv${without}\n`;
    // The second run finds the slug as an edit on the target.
    for (let run = 0; run < 2; run += 1) {
      const ran = await world.migrate(...MOVED, ...flags);
      expect(ran.stderr).toContain(told);
      expect(ran.stdout).not.toContain('in sync');
      const rows = (await world.readFile('map.csv')).split('\r\n').filter((row) => row.includes('/fr/'));
      expect(rows).toEqual(
        slug === undefined
          ? []
          : [`${ORIGINS.from}/fr/articles/install,${ORIGINS.to}/fr/help/${slug},article,fr`],
      );
    }
  });

  test('leads to no page that is gone from the target', async () => {
    await fill(world.from);
    await world.migrate();
    const { id } = await articleOf(world.to, 'refunds');
    await world.to.remove('articles', String(id));
    const ran = await world.migrate(...MOVED);
    expect(ran.stderr).toContain('1 redirect in map.csv, without 1 page whose new address is not known');
    expect(await world.readFile('map.csv')).not.toContain('refunds');
  });
});

describe('what the target does not take', () => {
  test('a status that the API does not know becomes a draft, never public', async () => {
    const { refunds } = await fill(world.from);
    world.from.wrap = showing(`articles/${refunds}`, (data) => ({ ...data, status: 'archived' }));
    const ran = await world.migrate();
    expect(ran.stdout).toContain('status archived: draft');
    expect(await articleOf(world.to, 'refunds')).toMatchObject({ status: 'draft' });
  });

  test('a slug that is there twice gets the id of its record, and links lead to it', async () => {
    const { install, refunds } = await fill(world.from);
    const [, second] = [install, refunds].sort();
    const taken = second === install ? 'refunds' : 'install';
    world.from.wrap = showing(`articles/${second ?? ''}`, (data) => ({ ...data, slug: taken }));
    const ran = await world.migrate();
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain(`slug ${taken} is there twice`);
    const again = await world.migrate();
    expect(again.stdout).toContain('in sync: 9 unchanged');
  });

  test('an excerpt that is too long is cut, and a relation to what does not exist is left out', async () => {
    const { refunds } = await fill(world.from);
    world.from.wrap = showing(`articles/${refunds}`, (data) => ({
      ...data,
      excerpt: 'word '.repeat(50),
      tags_relationship: [{ id: 'r1', tag_id: 'none' }],
    }));
    const ran = await world.migrate();
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('excerpt has 250 characters: cut to 160');
    expect(ran.stdout).toContain('tags: the tag none does not exist');
  });
});

describe('before anything is written', () => {
  test('a dry run shows the plan and leaves nothing behind', async () => {
    await fill(world.from);
    const ran = await world.migrate('--dry-run');
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('3 articles, 2 categories, 1 tag, 3 translations in 2 languages');
    expect(ran.stdout).toContain('9 create, 0 update, 0 delete, 0 unchanged');
    expect(writes(world.to)).toEqual([]);
    expect(await world.states()).toEqual([]);
  });

  test('a person is shown the plan and asked', async () => {
    await fill(world.from);
    world.isTerminal = true;
    world.typed.push('n', 'y');
    const no = await world.migrate('--no-color');
    expect(world.asked).toEqual([`Write 9 records to ${ORIGINS.to}? [y/N] `]);
    expect(no.exit).toBe(4);
    expect(no.stderr).toContain('nothing was sent');
    expect(writes(world.to)).toEqual([]);
    const yes = await world.migrate('--no-color');
    expect(yes.exit).toBe(0);
    expect(writes(world.to)).toHaveLength(9);
  });

  test('a record that the source does not show stops it, unless it may be left out', async () => {
    const { refunds } = await fill(world.from);
    world.from.wrap = (send) => (request) =>
      request.url.includes(refunds) ? Promise.resolve(new Response('{}', { status: 500 })) : send(request);
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain(`article ${refunds} in en`);
    expect(ran.stderr).toContain('--skip-unreadable');
    expect(world.to.sent).toEqual([]);
    const skipped = await world.migrate('--skip-unreadable');
    expect(skipped.exit).toBe(5);
    expect(skipped.stdout).toContain('left out');
    expect(skipped.stdout).toContain('8 created');
  });

  test.each([
    ['a category with another below it', 'start'],
    ['an article that others have links to', 'install'],
  ] as const)('%s that is left out stays on the target, with all that refers to it', async (_, name) => {
    const { [name]: id } = await fill(world.from);
    await world.migrate();
    const [, before] = await world.both();
    world.from.wrap = (send) => (request) =>
      request.url.includes(id) ? Promise.resolve(new Response('{}', { status: 500 })) : send(request);
    world.to.sent.length = 0;
    const ran = await world.migrate('--skip-unreadable');
    expect(ran.exit).toBe(5);
    expect(ran.stdout.match(/left out/g)).toHaveLength(2);
    expect(ran.stdout).toContain('both sides equal: 7 records compared');
    expect(ran.stdout).not.toContain('does not have any more');
    expect(writes(world.to)).toEqual([]);
    expect((await world.both())[1]).toEqual(before);
  });

  test('a reference to a record that is left out is not called dead', async () => {
    const { start } = await fill(world.from);
    world.from.wrap = (send) => (request) =>
      request.url.includes(start) ? Promise.resolve(new Response('{}', { status: 500 })) : send(request);
    const ran = await world.migrate('--skip-unreadable');
    expect(ran.stdout).toContain(`categoryParent: the category ${start} was left out`);
    world.from.wrap = (send) => send;
    expect((await world.migrate()).exit).toBe(0);
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });

  test('a cut list stops it, unless somebody vouches for it', async () => {
    await fill(world.from);
    world.from.wrap = (send) => async (request) => {
      const response = await send(request);
      if (!request.url.endsWith('/articles')) return response;
      return changedResponse(response, { ...(await jsonOf(response)), limit: 3 }, 200);
    };
    const ran = await world.migrate();
    expect(ran.exit).toBe(0);
    const plain = world.from.wrap;
    world.from.wrap = (send) => async (request) => {
      const response = await plain(send)(request);
      const headers = new Headers(response.headers);
      headers.delete('x-total-count');
      headers.delete('kb-capabilities');
      return new Response(response.body, { status: response.status, headers });
    };
    const cut = await world.migrate();
    expect(cut.exit).toBe(4);
    expect(cut.stderr).toContain('the article list shows 3 records, exactly a number');
    const vouched = await world.migrate('--assume-complete');
    expect(vouched.stdout).toContain('in sync');
  });

  test('originals in another language than is thought stop it', async () => {
    const { install } = await fill(world.from);
    const named =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        if (!request.url.endsWith('/articles')) return response;
        const body = await jsonOf(response);
        const data = (body['data'] as readonly Json[]).map((item) =>
          item['id'] === install ? { ...item, other_articles: [{ language: 'en' }] } : item,
        );
        return changedResponse(response, { ...body, data });
      };
    world.from.wrap = named;
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('the originals are not in en: 1 of them have a translation in it');
    expect(world.to.sent).toEqual([]);
  });

  test('a source that says another language of its originals is not migrated as if they were in English', async () => {
    await fill(world.from);
    world.from.wrap = (send) => async (request) => {
      const response = await send(request);
      const headers = new Headers(response.headers);
      headers.set('KB-Default-Language', 'de');
      return new Response(response.body, { status: response.status, headers });
    };
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain(
      'it says that its originals are in de, and not in en; run again with --default-language de',
    );
    expect(ran.stderr).not.toContain('does not show everything');
    expect(world.to.sent).toEqual([]);
  });

  test('records of another language than was asked for are not deleted', async () => {
    await fill(world.from);
    await world.migrate();
    expect((await world.migrate('--lang', 'de', '--prune')).exit).toBe(0);
    expect(writes(world.to).filter((text) => text.startsWith('DELETE'))).toEqual([]);
  });

  test('most records are not deleted at once, unless somebody says that this is right', async () => {
    for (let n = 0; n < 30; n += 1) await world.from.put('tags', { name: `Tag ${n}`, slug: `tag-${n}` });
    await world.migrate();
    const { data } = (await world.from.read('tags')) as { data: readonly { id: string }[] };
    for (const { id } of data.slice(0, 20)) await world.from.remove('tags', id);
    const ran = await world.migrate('--prune');
    expect(ran.exit).toBe(4);
    expect(ran.stdout).toContain('most records that earlier runs brought are gone from the source');
    const meant = await world.migrate('--prune', '--allow-vanished', '--max-delete', '20');
    expect(meant.exit).toBe(0);
    expect(meant.stdout).toContain('20 deleted');
  });

  test('an empty source after a full one stops it', async () => {
    await fill(world.from);
    await world.migrate();
    world.from.wrap = (send) => async (request) => {
      const response = await send(request);
      if (!/\/(articles|categories|tags)$/.test(request.url)) return response;
      const headers = new Headers(response.headers);
      headers.set('x-total-count', '0');
      return new Response(JSON.stringify({ ...(await jsonOf(response)), data: [] }), { headers });
    };
    const ran = await world.migrate('--prune');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('the source shows no record at all');
  });
});

describe('both sides', () => {
  test('a field that both changed is a conflict until somebody says whose value stands', async () => {
    const { cli } = await fill(world.from);
    await world.migrate();
    const { data } = (await world.to.read('tags')) as { data: readonly { id: string }[] };
    const id = data[0]?.id ?? '';
    await world.from.edit('tags', cli, { id: cli, name: 'Shell', lang: 'en' });
    await world.to.edit('tags', id, { id, name: 'Terminal', lang: 'en' });
    const ran = await world.migrate();
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toContain('! conflict  tag/cli@en  changed on both sides');
    expect(ran.stdout).toContain('name  source Shell  target Terminal');
    const settled = await world.migrate('--on-conflict', 'from');
    expect(settled.exit).toBe(0);
    expect(settled.stdout).toContain('1 updated');
  });

  test('an edit on the target stays, and is a difference', async () => {
    await fill(world.from);
    await world.migrate();
    const { data } = (await world.to.read('tags')) as { data: readonly { id: string }[] };
    const id = data[0]?.id ?? '';
    await world.to.edit('tags', id, { id, name: 'Terminal', lang: 'en' });
    const ran = await world.migrate();
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain('1 record edited on the target and left alone: tag/cli@en');
    expect(ran.stdout).toContain('tag/cli@en  name source "CLI", target "Terminal"');
  });

  test('records that the target had before are left alone, and those of the same slug need a word', async () => {
    await fill(world.from);
    await world.to.put('tags', { name: 'Other', slug: 'other' });
    await world.to.put('tags', { name: 'Command line', slug: 'cli' });
    const ran = await world.migrate();
    expect(ran.exit).not.toBe(0);
    expect(ran.stdout).toContain('tag/cli@en  the target has another record under this name or slug');
    const adopted = await world.migrate('--adopt', 'from');
    expect(adopted.exit).toBe(0);
    expect(adopted.stdout).toContain('1 record of the target is not of this migration');
    expect((await world.to.read('tags'))['data']).toHaveLength(2);
  });

  test('a record that waits is named once in a dry run', async () => {
    await fill(world.from);
    await world.to.put('tags', { name: 'CLI', slug: 'cli-2' });
    const { stdout } = await world.migrate('--dry-run');
    expect(stdout.match(/blocked {3}tag\/cli@en/g)).toHaveLength(1);
  });

  test('an edit on the source during the run is named, and the next run brings it', async () => {
    const { cli } = await fill(world.from);
    let isEdited = false;
    world.to.wrap = (send) => async (request) => {
      if (request.method === 'PUT' && !isEdited) {
        isEdited = true;
        await world.from.edit('tags', cli, { id: cli, name: 'Shell', lang: 'en' });
      }
      return send(request);
    };
    const ran = await world.migrate();
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain('tag/cli@en  edited: it was edited on the source during this run');
    const next = await world.migrate();
    expect(next.exit).toBe(0);
    expect(next.stdout).toContain('1 updated');
  });

  test('what was done is told although a side goes away before both are compared', async () => {
    await fill(world.from);
    let lists = 0;
    world.from.wrap = (send) => (request) => {
      if (request.url.endsWith('/tags')) lists += 1;
      return lists > 1 ? Promise.resolve(new Response('{}', { status: 401 })) : send(request);
    };
    const ran = await world.migrate();
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain('9 created');
    expect(ran.stdout).toContain('! not compared  source: ');
    world.from.wrap = (send) => send;
    const next = await world.migrate();
    expect(next.exit).toBe(0);
    expect(next.stdout).toContain('both sides equal');
  });

  test('Ctrl-C while both are compared ends the comparison, and what was done is told', async () => {
    await fill(world.from);
    let reads = 0;
    world.from.wrap = (send) => (request) => {
      reads += 1;
      if (reads === 14) world.signal();
      return send(request);
    };
    const ran = await world.migrate('--concurrency', '1');
    expect(ran.exit).toBe(130);
    expect(ran.stdout).toContain('interrupted: 9 created');
    expect(ran.stdout).toContain('! not compared');
  });

  test('an interrupted run is finished by the next, without doubles', async () => {
    await fill(world.from);
    let puts = 0;
    world.to.wrap = (send) => (request) => {
      if (request.method === 'PUT') puts += 1;
      if (puts === 4) world.signal();
      return send(request);
    };
    const ran = await world.migrate('--concurrency', '1', '--redirects', 'redirects.csv');
    expect(ran.exit).toBe(130);
    expect(ran.stdout).toContain('interrupted');
    expect(ran.stderr).toContain(
      'redirects not written to redirects.csv: only a completed run writes them\n',
    );
    world.to.wrap = (send) => send;
    const next = await world.migrate();
    expect(next.exit).toBe(0);
    const [from, to] = await world.both();
    expect(to).toEqual(from);
  });
});

describe('keys and addresses', () => {
  test('each side needs its own key', async () => {
    world.env['KBSYNC_API_KEY'] = world.from.key;
    delete world.env['KBSYNC_TO_KEY'];
    const ran = await world.migrate();
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('KBSYNC_TO_KEY is not set');
    expect([...world.from.sent, ...world.to.sent]).toEqual([]);
  });

  test('a key goes to the origin that it is bound to', async () => {
    world.env['KBSYNC_FROM_ORIGIN'] = 'https://elsewhere.test';
    const ran = await world.migrate();
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('KBSYNC_FROM_ORIGIN binds the key to https://elsewhere.test');
  });

  test('no key travels unencrypted', async () => {
    const ran = await world.run('migrate', '--from', 'http://old.acme.test', '--to', ORIGINS.to);
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('--from cannot be used');
  });

  test('a knowledge base is not brought into itself', async () => {
    const ran = await world.run('migrate', '--from', ORIGINS.to, '--to', `${ORIGINS.to}/`);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('name one knowledge base');
  });

  test('a key that is refused is named, with the side that refused it', async () => {
    world.env['KBSYNC_FROM_KEY'] = world.to.key;
    const ran = await world.migrate();
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain('source: ');
    expect(ran.stderr).toContain('check KBSYNC_FROM_KEY');
  });

  test('--json prints one document', async () => {
    await fill(world.from);
    const ran = await world.migrate('--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      format: 1,
      from: ORIGINS.from,
      to: ORIGINS.to,
      dryRun: false,
      source: {
        originals: { category: 2, tag: 1, article: 3 },
        translations: 3,
        languages: ['en', 'fr'],
        openDrafts: 0,
      },
      summary: { created: 9, conflict: 0 },
      verification: { compared: 9, equal: true, differences: [] },
    });
  });
});
