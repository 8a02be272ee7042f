import { afterEach, expect, test } from 'vitest';
import { articleBody } from '../../../service/support/rig.ts';
import { digestOf, png } from '../../../service/support/pictures.ts';
import { migrateWorld, ORIGINS, type KnowledgeBase, type MigrateWorld } from '../../support/migrate-world.ts';

let world: MigrateWorld;
afterEach(() => world.close());

const PICTURE = png(4, 3);
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><script>a()</script><path d="M0 0"/></svg>';
const CLEAN = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>';
const GONE = '0'.repeat(64);

const addressOf = (bytes: Buffer | string, name: string): string => `/files/${digestOf(bytes)}/${name}`;

async function store({ fetch, key }: KnowledgeBase, bytes: Buffer | string, name: string): Promise<void> {
  const request = new Request(`${ORIGINS.from}/api/v2/files/${digestOf(bytes)}?name=${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}` },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  expect((await fetch(request)).status).toBe(201);
}

async function shown({ fetch }: KnowledgeBase, origin: string, address: string): Promise<string> {
  const response = await fetch(new Request(`${origin}${address}`));
  return response.status === 200 ? digestOf(Buffer.from(await response.arrayBuffer())) : `${response.status}`;
}

async function started(to: boolean): Promise<void> {
  world = await migrateWorld({ keepsFiles: { from: true, to } });
  await store(world.from, PICTURE, 'a.png');
  await store(world.from, DRAWING, 'b.svg');
  const content = `<p>Text <img src="${addressOf(PICTURE, 'a.png')}"> <img src="${ORIGINS.from}${addressOf(DRAWING, 'b.svg')}"> <img src="/files/${GONE}/c.png"></p>`;
  await world.from.put(
    'articles',
    articleBody({ title: 'One', slug: 'one', content, seoBannerUrl: addressOf(PICTURE, 'banner.png') }),
  );
}

async function migrated(): Promise<{ readonly content: string; readonly banner: string }> {
  const { data } = (await world.to.read('articles')) as { data: readonly { id: string }[] };
  const { data: article } = (await world.to.read(`articles/${data[0]?.id ?? ''}`)) as {
    data: Readonly<Record<string, unknown>>;
  };
  return { content: String(article['content']), banner: String(article['seo_banner_url']) };
}

test('images come along with equal digests, addresses lead to the target, and a second run has nothing to do', async () => {
  await started(true);
  const ran = await world.migrate('--yes', '--json');
  expect([ran.exit, ran.stderr]).toEqual([0, '']);
  const { content } = await migrated();
  expect(content).toContain(`src="${addressOf(PICTURE, 'a.png')}"`);
  // What the source shows of a drawing is what the target is sent.
  expect(content).toContain(`src="${ORIGINS.to}${addressOf(CLEAN, 'b.svg')}"`);
  for (const address of [addressOf(PICTURE, 'a.png'), addressOf(PICTURE, 'banner.png')])
    expect(await shown(world.to, ORIGINS.to, address)).toBe(digestOf(PICTURE));
  expect(await shown(world.to, ORIGINS.to, addressOf(CLEAN, 'b.svg'))).toBe(digestOf(CLEAN));
  expect(await shown(world.from, ORIGINS.from, addressOf(DRAWING, 'b.svg'))).toBe(digestOf(CLEAN));
  // What the source does not have is told.
  expect(JSON.stringify(JSON.parse(ran.stdout))).toContain(`${ORIGINS.from}/files/${GONE}/c.png`);

  world.to.sent.length = 0;
  const again = await world.migrate('--yes');
  expect([again.exit, world.to.sent.filter((text) => !text.startsWith('GET '))]).toEqual([0, []]);
});

test('a dry run sends no file', async () => {
  await started(true);
  expect((await world.migrate('--dry-run')).exit).toBe(0);
  expect(world.to.sent.filter((text) => !text.startsWith('GET '))).toEqual([]);
});

test('a target that keeps no files is told which images stay at the source', async () => {
  await started(false);
  const ran = await world.migrate('--yes', '--json');
  expect(ran.exit).toBe(0);
  expect(ran.stdout).toContain(`${ORIGINS.from}${addressOf(PICTURE, 'a.png')}`);
  expect((await migrated()).content).toContain(`${ORIGINS.from}${addressOf(DRAWING, 'b.svg')}`);
});
