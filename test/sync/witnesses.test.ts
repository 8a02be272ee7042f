import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Send } from '../../src/remote/remote.ts';
import { desiredState } from '../support/desired.ts';
import { knowledgeOf } from '../support/knowledge.ts';
import { plain } from '../support/odd-services/headers.ts';
import { createHand } from '../support/odd-services/hand.ts';
import { langUnreadable } from '../support/odd-services/languages.ts';
import { oddService } from '../support/odd-services/odd-services.ts';
import { play } from '../support/odd-services/play.ts';
import { DOCS, SCENARIOS, file } from '../support/odd-services/scenarios.ts';
import { commentsStripped } from '../support/odd-services/text.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ languages: ['en', 'fr', 'de'] });
});
afterEach(() => rig.close());

const FRENCH = { categories: ['category/guide/start'], slug: 'installer' };
const CHANGED = { ...DOCS, 'article/install@fr': file('install.fr', FRENCH, 'hiver') };

async function textOf(name: string): Promise<string | undefined> {
  return (await knowledgeOf(rig.store)).find((row) => row.name === name)?.text;
}

describe('without stamps', () => {
  for (const [what, oddities, policy] of [
    ['that the user turned off', [plain()], { stamp: false }],
    ['that the service strips', [plain(), commentsStripped], {}],
  ] as const) {
    test(`${what}: a fresh clone adopts what equals the files`, async () => {
      expect(await play(oddities, SCENARIOS['clone-equal'], policy)).toEqual({
        end: 'ok',
        says: [],
        violations: [],
      });
    });

    test(`${what}: a fresh clone asks whose the difference is`, async () => {
      const { end, violations } = await play(oddities, SCENARIOS['clone-own'], policy);
      expect([end, violations]).toEqual(['conflict:both-new', []]);
    });
  }
});

describe('a record of another text that has the slug of a file', () => {
  test('gets no translation before it is settled whose it is', async () => {
    const docs = { 'category/a@en': {}, 'category/b@en': {} } as const;
    await rig.sync(desiredState(docs));
    rig.forget();
    const swapped = desiredState({
      'category/a@en': { fields: { slug: 'b' } },
      'category/a@fr': { fields: { slug: 'a-fr' } },
      'category/b@en': { fields: { slug: 'a' } },
    });
    const report = await rig.sync(swapped);
    expect(report.plan.conflicts.map(({ code }) => code)).toEqual(['both-new', 'both-new']);
    expect(report.plan.blocked).toMatchObject([{ key: 'category/a@fr', reason: 'original-conflict' }]);
    expect(report.results).toEqual([]);
    const settled = await rig.sync(swapped, { adopt: 'local' });
    expect(settled.summary).toMatchObject({ created: 1, conflict: 0, failed: 0 });
  });
});

describe('a stamp that was copied', () => {
  test('does not make the copy ours when the record itself is gone', async () => {
    await rig.sync(desiredState(DOCS));
    const hand = createHand(rig);
    await hand.copy('upgrade.en', 'upgrade-copy');
    const gone = (await knowledgeOf(rig.store)).find(({ name }) => name === 'upgrade.en');
    await rig.editor().remove('article', gone?.id ?? '', {});
    rig.forget();
    for (let run = 0; run < 2; run += 1) {
      const report = await rig.sync(desiredState(DOCS));
      expect(report.plan.blocked).toMatchObject([{ key: 'article/upgrade@en', reason: 'unreadable' }]);
      expect(report.plan.blocked[0]?.message).toContain('has its stamp but another slug');
    }
    expect(await textOf('upgrade-copy.en')).toBe('upgrade.en one');
  });
});

describe('a translation that the service cannot show', () => {
  beforeEach(() => {
    rig.wrap = oddService([plain(), langUnreadable], { now: rig.clock.now, harm: [] });
  });

  test('is written when its file changed and the list shows no edit', async () => {
    await rig.sync(desiredState(DOCS));
    expect((await rig.sync(desiredState(CHANGED))).summary).toMatchObject({ updated: 1, failed: 0 });
    expect(await textOf('install.fr')).toBe('install.fr hiver');
    expect((await rig.sync(desiredState(CHANGED))).requests).toBe(3);
  });

  test('is not written over an edit that the list shows, unless the user says so', async () => {
    await rig.sync(desiredState(DOCS));
    await createHand(rig).edit('install.fr', 'fr', { content: 'theirs' });
    const report = await rig.sync(desiredState(CHANGED));
    expect(report.plan.blocked).toMatchObject([{ key: 'article/install@fr', reason: 'unreadable' }]);
    expect(await textOf('install.fr')).toBe('install.fr theirs');
    await rig.sync(desiredState(CHANGED), { onConflict: 'local' });
    expect(await textOf('install.fr')).toBe('install.fr hiver');
    expect((await rig.sync(desiredState(CHANGED))).plan.blocked).toEqual([]);
  });

  test('is not written over what a fresh clone has never seen, unless the user says so', async () => {
    await rig.sync(desiredState(DOCS));
    rig.forget();
    const report = await rig.sync(desiredState(CHANGED));
    expect(report.plan.blocked.map(({ key }) => key)).toEqual(['category/guide@fr', 'article/install@fr']);
    expect(await textOf('install.fr')).toBe('install.fr été');
    await rig.sync(desiredState(CHANGED), { adopt: 'local' });
    expect(await textOf('install.fr')).toBe('install.fr hiver');
    expect((await rig.sync(desiredState(CHANGED))).plan.blocked).toEqual([]);
  });

  test('stays, and its original with it, when their files are gone', async () => {
    await rig.sync(desiredState(DOCS));
    const { 'article/install@en': _, 'article/install@fr': __, ...rest } = DOCS;
    const report = await rig.sync(desiredState(rest), { prune: true });
    expect(report.plan.kept.map(({ key, reason }) => `${key} ${reason}`).sort()).toEqual([
      'article/install@en translations',
      'article/install@fr unreadable',
    ]);
    expect(report.summary.deleted).toBe(0);
  });
});

describe('a service that shows a form behind each text, and the stamp before it', () => {
  const footed: (send: Send) => Send = (send) => async (request) => {
    const response = await send(request);
    if (request.method !== 'GET' || !/articles\/./.test(new URL(request.url).pathname)) return response;
    const read = (await response.json()) as { data: { content: string } };
    const content = `${read.data.content}<div class="votes"><p>Was this helpful?</p></div>`;
    return Response.json({ ...read, data: { ...read.data, content } }, { status: response.status });
  };
  const files = (body: string) =>
    desiredState({ 'article/a@en': { body: '<p>One.</p>' }, 'article/b@en': { body } });

  test('tells a clone without a state whose the records are, under another slug too', async () => {
    rig.wrap = oddService([plain(), () => footed], { now: rig.clock.now, harm: [] });
    await rig.sync(files('<p>Two.</p>'));
    for (const { id } of (await rig.editor().list('article')).items) {
      const read = await rig.editor().read('article', id, undefined);
      if (read.state !== 'found') throw new Error('it cannot be read');
      const { fields, stamp = '' } = read.record;
      const content = `${String(fields['content'])}\n${stamp}`;
      await rig.editor().edit('article', id, 'en', { ...fields, content, slug: `made-${id}` }, {});
    }
    rig.forget();
    const { plan } = await rig.sync(files('<p>Two.</p>'));
    expect(plan.conflicts).toEqual([]);
    expect((await rig.editor().list('article')).items.length).toBe(2);
  });
});

describe('a clone without a state', () => {
  test('remembers a record that an editor has changed, and knows it when its stamp is gone too', async () => {
    const files = desiredState({ 'article/a@en': { body: '<p>One.</p>' } });
    await rig.sync(files);
    rig.forget();
    const [listed] = (await rig.editor().list('article')).items;
    const id = listed?.id ?? '';
    const shown = async () => {
      const read = await rig.editor().read('article', id, undefined);
      if (read.state !== 'found') throw new Error('it cannot be read');
      return read.record;
    };
    const { fields, stamp = '' } = await shown();
    const content = `${String(fields['content'])}\n${stamp}`;
    await rig.editor().edit('article', id, 'en', { ...fields, content, title: 'Theirs' }, {});
    expect((await rig.sync(files)).summary).toMatchObject({ drift: 1, created: 0 });
    const rewritten = { ...fields, slug: 'theirs', content: '<p>Two.</p>' };
    await rig.editor().edit('article', id, 'en', rewritten, {});
    expect((await shown()).stamp).toBeUndefined();
    expect((await rig.sync(files)).summary).toMatchObject({ created: 0, drift: 1, updated: 0 });
    expect((await rig.editor().list('article')).items).toHaveLength(1);
  });
});

describe('a page that an editor wrote anew, title, address and text', () => {
  const HTML = '<p>Other words of an editor.</p>';
  const anew = { fields: { title: 'Other', slug: 'other' }, body: HTML } as const;

  async function writeAnew(): Promise<void> {
    await rig.sync(desiredState({ 'article/a@en': {} }));
    const [row] = await knowledgeOf(rig.store);
    const editor = rig.editor();
    const read = await editor.read('article', row?.id ?? '');
    if (read.state !== 'found') throw new Error('test: it is there');
    const fields = Object.fromEntries(
      Object.entries(read.record.fields).filter(([, value]) => value !== null),
    );
    await editor.edit('article', row?.id ?? '', 'en', { ...fields, ...anew.fields, content: HTML }, {});
  }

  test('may be another page that has its id now', async () => {
    await writeAnew();
    const { plan } = await rig.plan(desiredState({ 'article/a@en': {} }));
    expect(plan.conflicts).toMatchObject([{ key: 'article/a@en', code: 'replaced' }]);
  });

  test.each([
    ['with our title and address is ours', {}, { conflicts: [], unchanged: 1, articles: 2 }],
    ['with our title alone is not', { slug: 'a-2' }, { conflicts: ['replaced'], unchanged: 0, articles: 2 }],
  ])('a page that somebody made meanwhile %s', async (_, other, then) => {
    const files = desiredState({ 'article/a@en': {} });
    await rig.sync(files);
    const [before] = await knowledgeOf(rig.store);
    const editor = rig.editor();
    const read = await editor.read('article', before?.id ?? '');
    if (read.state !== 'found') throw new Error('test: it is there');
    const known = Object.fromEntries(
      Object.entries(read.record.fields).filter(([, value]) => value !== null),
    );
    await editor.edit('article', before?.id ?? '', 'en', { ...known, ...anew.fields, content: HTML }, {});
    await editor.create('article', { ...known, ...other }, {});
    const { plan, summary } = await rig.sync(files);
    expect(plan.conflicts.map(({ code }) => code)).toEqual(then.conflicts);
    expect(summary).toMatchObject({ created: 0, updated: 0, unchanged: then.unchanged });
    expect((await editor.list('article')).items).toHaveLength(then.articles);
    const mine = await rig.sync(files, { onConflict: 'local' });
    expect(mine.summary.created).toBe(then.conflicts.length);
  });

  test('is the page of a file that has its address, whatever was edited since', async () => {
    await writeAnew();
    const words = { ...anew, fields: { ...anew.fields, title: 'Before' } };
    const { plan } = await rig.plan(desiredState({ 'article/a@en': words }));
    expect(plan.blocked).toEqual([]);
    expect(plan.conflicts).toMatchObject([{ code: 'both-changed', fields: [{ field: 'title' }] }]);
  });
});
