import { expect, test } from 'vitest';
import { seededRandom } from '../../../support/random.ts';
import { migrateWorld, writes, type KnowledgeBase, type MigrateWorld } from '../../support/migrate-world.ts';

/** `KBSYNC_MIGRATE_LIVES=500 npx vitest run test/cli/migrate-lives.test.ts` asks for more of them. */
const LIVES = Number(process.env['KBSYNC_MIGRATE_LIVES'] ?? 3);
const SEED = Number(process.env['KBSYNC_SEED'] ?? 1);
const DAYS = 4;

type Collection = 'articles' | 'categories' | 'tags';

interface Written {
  readonly collection: Collection;
  readonly id: string;
  slug: string;
  readonly languages: Set<string>;
}

/** Somebody who works on the source while it is migrated again and again. */
function editor({ put, edit, remove }: KnowledgeBase, random: () => number) {
  const records: Written[] = [];
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const of = (collection: Collection): readonly Written[] =>
    records.filter((record) => record.collection === collection);
  let count = 0;
  const slugs = ['a b', 'ünï', 'x_y.z', '100%', 'index', 'con', 'a/b', 'A', '日本'];
  const freshSlug = (): string => `${pick(slugs) ?? ''}${(count += 1)}`;
  const linkTo = (): string => {
    const target = pick(records);
    const path = `/en/${target?.collection ?? 'articles'}/${encodeURIComponent(target?.slug ?? 'none')}`;
    return `<a href="${random() < 0.5 ? path : `https://old.acme.test${path}?q=1#x`}">there</a>`;
  };
  const bodyOf = (collection: Collection, slug: string): object => {
    const name = `Name ${Math.floor(random() * 3)}`;
    const html = random() < 0.2 ? '' : `<p>${slug} &amp; ${linkTo()}</p>${random() < 0.3 ? '\n' : ''}`;
    if (collection === 'tags') return { name, slug, description: pick(['', 'Words']), longDescription: html };
    if (collection === 'categories')
      return {
        name,
        slug,
        priority: Math.floor(random() * 9),
        description: pick([null, 'About']),
        longDescription: pick([null, html]),
        iconUrl: pick([null, 'https://cdn.test/i.svg']),
      };
    return {
      title: name,
      slug,
      categories: [pick(of('categories'))?.id ?? []].flat().map((value) => ({ value })),
      tags: [pick(of('tags'))?.id ?? []].flat().map((value) => ({ value })),
      excerpt: pick(['', 'Short']),
      ordering: Math.floor(random() * 9),
      status: pick(['draft', 'published']),
      content: html,
      hideFromSearch: random() < 0.2,
      seoBannerUrl: pick([null, 'https://cdn.test/b.png']),
      articleReviewDate: pick([null, '2027-01-01T00:00:00.000Z']),
    };
  };
  const make = async (): Promise<void> => {
    const collection = pick(['articles', 'articles', 'categories', 'tags'] as const) ?? 'articles';
    const slug = freshSlug();
    const id = await put(collection, bodyOf(collection, slug));
    records.push({ collection, id, slug, languages: new Set() });
  };
  const write = async (lang: string, isRenamed: boolean): Promise<void> => {
    const record = pick(records);
    if (record === undefined) return;
    const { collection, id } = record;
    const slug = lang === 'en' ? (isRenamed ? freshSlug() : record.slug) : `${lang} ${record.slug}`;
    const also = collection === 'tags' ? { id } : {};
    await edit(collection, id, { ...bodyOf(collection, slug), ...also, lang });
    if (lang === 'en') record.slug = slug;
    else record.languages.add(lang);
  };
  const drop = async (): Promise<void> => {
    const record = pick(of('articles').filter(({ languages }) => languages.size === 0));
    if (record === undefined) return;
    await remove('articles', record.id);
    records.splice(records.indexOf(record), 1);
  };
  return async (works: number): Promise<void> => {
    for (let work = 0; work < works; work += 1) {
      const chance = random();
      if (chance < 0.4 || records.length < 3) await make();
      else if (chance < 0.6) await write('en', random() < 0.4);
      else if (chance < 0.9) await write(pick(['fr', 'de']) ?? 'fr', false);
      else await drop();
    }
  };
}

/** Sometimes the run is interrupted, sometimes answers of the target get lost. */
function trouble(world: MigrateWorld, random: () => number): void {
  const chance = random();
  let left = Math.floor(random() * 12);
  world.to.wrap = (send) => async (request) => {
    left -= 1;
    if (chance < 0.3 && left === 0) world.signal();
    const response = await send(request);
    if (chance > 0.6 && left === 0 && request.method !== 'GET') throw new Error('test: the answer was lost');
    return response;
  };
}

test(
  `${LIVES} knowledge bases that are edited while they are migrated arrive whole and once`,
  { timeout: LIVES * 20_000 },
  async () => {
    for (let life = 0; life < LIVES; life += 1) {
      const random = seededRandom(SEED * 10_000 + life);
      const world = await migrateWorld();
      const work = editor(world.from, random);
      for (let day = 0; day < DAYS; day += 1) {
        await work(8);
        trouble(world, random);
        await world.migrate('--settle', '0');
        world.to.wrap = (send) => send;
        const { exit, stdout, stderr } = await world.migrate('--settle', '0', '--prune');
        const [from, to] = await world.both();
        const before = writes(world.to).length;
        await world.migrate('--prune', '--no-verify');
        const more = writes(world.to).slice(before);
        const told = exit === 0 ? '' : `${stdout}${stderr}`;
        expect({ life, day, told, exit, to, more }).toEqual({
          life,
          day,
          told: '',
          exit: 0,
          to: from,
          more: [],
        });
      }
      expect(writes(world.from)).toEqual([]);
      await world.close();
    }
  },
);
