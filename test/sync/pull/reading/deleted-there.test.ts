import { afterEach, expect, test } from 'vitest';
import { keyOf } from '../../../../src/model/key.ts';
import type { BaseRecord, KnownRecord } from '../../../../src/model/record.ts';
import type { ReadResult } from '../../../../src/remote/remote.ts';
import { deletedThere } from '../../../../src/sync/pull/reading/deleted-there.ts';
import type { DeletedThereInput } from '../../../../src/sync/pull/reading/deleted-there.ts';
import { fakeWorld } from '../../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../../cli/support/fake-world.ts';
import { siteOf } from '../../../cli/support/site.ts';
import { desiredState } from '../../../support/desired.ts';

let world: FakeWorld | undefined;
afterEach(() => world?.close());

const page = (title: string): string => `---\ntitle: ${title}\n---\n\nText of ${title}.\n`;

async function started(): Promise<FakeWorld> {
  world = await fakeWorld({
    'content/en/articles/fees.md': page('Fees'),
    'content/en/articles/prices.md': page('Prices'),
    'content/fr/articles/fees.md': page('Frais'),
  });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  return world;
}

/** Translations first, as the service asks. */
async function removeOnSite(title: string, langs: readonly string[] = ['fr', 'en']): Promise<void> {
  const site = siteOf(world as FakeWorld);
  const original = await site.idOf(title);
  for (const lang of langs) {
    const { data } = (await site.ask('GET', `/api/v2/articles/${original}?lang=${lang}`)) as {
      data: { id: string };
    };
    await site.ask('DELETE', `/api/v2/articles/${data.id}`);
  }
}

test('a page that an editor deleted is named with its translations; its files and the state stay', async () => {
  const made = await started();
  const { sent } = made;
  const site = siteOf(world as FakeWorld);
  await site.edit('Prices', (body) => (body['title'] = 'New prices'));
  await removeOnSite('Fees');
  const state = await made.read('.kbsync/state.json');
  const dry = await made.run('pull', '--dry-run');
  expect(dry.exit).toBe(3);
  expect(await made.read('.kbsync/state.json')).toBe(state);
  const pulled = await made.run('pull');
  expect(pulled.exit).toBe(3);
  for (const [file, key] of [
    ['content/en/articles/fees.md', 'article/fees@en'],
    ['content/fr/articles/fees.md', 'article/fees@fr'],
  ] as const)
    expect(pulled.stdout).toContain(
      `! ${file}  deleted on the site; delete the file too, or kbsync resolve ${key} --local makes the page again\n`,
    );
  expect(pulled.stdout).toMatch(/0 created, 1 updated, 2 deleted on the site in/);
  expect(await made.read('content/en/articles/fees.md')).toBe(page('Fees'));
  expect(await made.read('content/en/articles/prices.md')).toContain('New prices');
  // One read for the page, and none for its translation.
  sent.length = 0;
  const again = JSON.parse((await made.run('pull', '--json')).stdout) as {
    records: readonly { key: string; action: string }[];
  };
  expect(again.records.map(({ key, action }) => [key, action])).toEqual([
    ['article/fees@en', 'deleted'],
    ['article/fees@fr', 'deleted'],
  ]);
  expect(sent.filter((request) => /articles\/\w/.test(request)).length).toBeLessThanOrEqual(3);
  expect((await made.run('plan')).stdout).toMatch(/conflict +article\/fees@en/);
});

test('a pull of other files, languages or drafts alone does not speak of it', async () => {
  const made = await started();
  await removeOnSite('Fees');
  for (const argv of [['en/articles/prices.md'], ['--status', 'draft']])
    expect(await made.run('pull', ...argv)).toMatchObject({
      exit: 0,
      stdout: expect.not.stringContaining('fees'),
    });
  const french = await made.run('pull', '--lang', 'fr');
  expect(french.stdout).toContain('content/fr/articles/fees.md  deleted on the site');
  expect(french.stdout).not.toContain('content/en/articles/fees.md');
});

test('once the way out is taken, there is nothing left to say', async () => {
  const made = await started();
  await removeOnSite('Fees');
  await made.remove('content/en/articles/fees.md');
  await made.remove('content/fr/articles/fees.md');
  expect(await made.run('pull')).toMatchObject({ exit: 0 });
});

test('a translation that an editor deleted is named alone', async () => {
  const made = await started();
  await removeOnSite('Fees', ['fr']);
  const { exit, stdout } = await made.run('pull');
  expect(exit).toBe(3);
  expect(stdout).toContain('content/fr/articles/fees.md  deleted on the site');
  expect(stdout).not.toContain('content/en/articles/fees.md');
});

const FEES = keyOf('article', 'fees', 'en');
const FRAIS = keyOf('article', 'fees', 'fr');

function asked(
  answers: Readonly<Record<string, ReadResult>>,
  listed: DeletedThereInput['reading']['listed'],
) {
  const known = new Map([FEES, FRAIS].map((key) => [key, { key, id: '7' } as unknown as BaseRecord]));
  const content = {
    state: desiredState({ 'article/fees@en': {}, 'article/fees@fr': {} }),
    problems: [],
    faulty: [],
  };
  const reads: string[] = [];
  const input = (cut: readonly 'article'[] = []): DeletedThereInput => ({
    options: {
      remote: {
        read: (_kind: string, id: string, lang?: string) => {
          reads.push(`${id} ${lang ?? ''}`.trim());
          return Promise.resolve(answers[lang ?? 'en'] ?? { state: 'absent' });
        },
      } as unknown as DeletedThereInput['options']['remote'],
      content,
      wanted: {
        languages: undefined,
        status: undefined,
        isAskedFor: () => true,
        named: new Set<string>(),
        clean: false,
        dryRun: false,
      },
      pathOf: ({ at }) => at.file,
      atOnce: 4,
    },
    known,
    reading: { listed, cut: new Set(cut) },
    isShown: () => false,
  });
  return { input, reads };
}

const ITEM = { kind: 'article', id: '7', name: 'Fees', languages: ['en'] } as unknown as Parameters<
  typeof asked
>[1][number];

test('a list that may be cut, and a read that says nothing, prove nothing', async () => {
  const cut = asked({}, []);
  expect(await deletedThere(cut.input(['article']))).toEqual([]);
  expect(cut.reads).toEqual([]);
  const unclear = asked({ en: { state: 'unreadable', why: 'no answer' } }, []);
  expect(await deletedThere(unclear.input())).toEqual([]);
  expect(unclear.reads).toEqual(['7']);
});

test('a translation alone is gone where its original is there, also if the service shows the original instead', async () => {
  const original = { kind: 'article', id: '7', lang: 'en', fields: {} } as unknown as KnownRecord;
  for (const answer of [{ state: 'absent' }, { state: 'found', record: original }] as const) {
    const { input, reads } = asked({ fr: answer }, [ITEM]);
    expect((await deletedThere(input())).map(({ key, action }) => [key, action])).toEqual([
      [FRAIS, 'deleted'],
    ]);
    expect(reads).toEqual(['7 fr']);
  }
  const there = asked({ fr: { state: 'found', record: { ...original, lang: 'fr' } } }, [ITEM]);
  expect(await deletedThere(there.input())).toEqual([]);
});
