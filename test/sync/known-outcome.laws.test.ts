import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf } from '../../src/model/key.ts';
import type { Key } from '../../src/model/key.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { KnownOutcome } from '../../src/sync/outcome/known-outcome.ts';
import { desiredState } from '../support/desired.ts';
import { seededRandom } from '../support/random.ts';
import type { Rig } from '../support/rig.ts';
import { createRig } from '../support/rig.ts';

const NAMES = ['a', 'b', 'c'] as const;
const LANGS = ['en', 'fr'] as const;
/** An article that comes and goes. */
const MORE = 'article/d@en';
type Texts = Readonly<Record<string, string>>;

let rig: Rig;
beforeEach(async () => {
  rig = await createRig();
});
afterEach(() => rig.close());

function files(texts: Texts) {
  const articles = Object.entries(texts).map(([name, text]) => [
    name,
    { body: `<p>${text}</p>`, ...(name.startsWith('article/a') ? { fields: { tags: ['tag/t'] } } : {}) },
  ]);
  return desiredState({ 'tag/t@en': {}, 'category/g@en': {}, ...Object.fromEntries(articles) });
}

/** The file of the outcome, as the command binds it: to the texts and to the checksum of the state. */
let file: { readonly of: string; readonly outcome: KnownOutcome } | undefined;

async function outcomesFor(now: Texts, earlier: readonly Texts[]): Promise<void> {
  const { digest } = await (await rig.base.open({ readOnly: true })).load();
  const nameOf = (texts: Texts, of: string | undefined) => `${JSON.stringify(texts)} ${of ?? 'none'}`;
  const read = (texts: Texts) => (file?.of === nameOf(texts, digest) ? file.outcome : undefined);
  rig.outcomes = {
    read: () => read(now),
    beforeEdits: () => {
      for (const texts of earlier) {
        // With a file more or less, nothing of before is known of the folder.
        if (Object.keys(texts).join() !== Object.keys(now).join()) continue;
        const outcome = read(texts);
        const keys = new Set(Object.keys(now).filter((name) => now[name] !== texts[name]) as Key[]);
        if (outcome !== undefined) return { outcome, keys };
      }
      return undefined;
    },
    write: (outcome) => (file = { of: nameOf(now, digest), outcome }),
    writeAfter: (outcome, checksum) => (file = { of: nameOf(now, checksum), outcome }),
  };
}

/** What a run decides, without what it read to get there. */
function decided({
  changes,
  conflicts,
  drift,
  kept,
  blocked,
  refusals,
  unchanged,
  unmanaged,
}: Plan): unknown {
  const keyed = (all: readonly { readonly key: string }[]) => all.map(({ key }) => key).sort();
  return {
    changes: changes.map(({ action, key }) => `${action} ${key}`).sort(),
    conflicts: keyed(conflicts),
    drift: keyed(drift),
    kept: keyed(kept),
    blocked: keyed(blocked),
    refusals,
    unchanged,
    unmanaged: unmanaged.map(({ name }) => name).sort(),
  };
}

const SEEDS = Number(process.env['KBSYNC_OUTCOME_WORLDS'] ?? 12);
const FIRST = Number(process.env['KBSYNC_OUTCOME_SEED'] ?? 1);

/** Whatever people do on the site and in the files, a run that remembers decides what a run that forgets would. */
test.each(Array.from({ length: SEEDS }, (_, at) => FIRST + at))('world %i', async (seed) => {
  const random = seededRandom(seed);
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  file = undefined;
  let count = 0;
  let texts: Texts = Object.fromEntries(
    NAMES.flatMap((name) => LANGS.map((lang) => [keyOf('article', name, lang), `${name} ${lang}`])),
  );
  const earlier: Texts[] = [];
  const editor = rig.editor();
  const onSite = async (): Promise<void> => {
    const kind = one(['article', 'article', 'article', 'tag', 'category'] as const);
    const { items } = await editor.list(kind);
    if (items.length === 0) return;
    const item = one(items);
    const lang = kind === 'article' ? one(LANGS) : 'en';
    const read = await editor.read(kind, item.id, lang === 'en' ? undefined : lang);
    if (read.state !== 'found') return;
    const told = Object.entries(read.record.fields).filter(([, value]) => value !== null);
    const fields = Object.fromEntries(told);
    const how = random();
    count += 1;
    if (how < 0.2) {
      const others = { slug: `new-${count}`, categories: [], excerpt: '', ordering: 1, status: 'published' };
      await editor.create('article', { ...others, title: `New ${count}`, content: '<p>x</p>' }, {});
    } else if (kind === 'article' && how < 0.3 && lang === 'fr') {
      await editor.remove('article', read.record.ownId, {});
    } else {
      const edit = kind === 'article' ? { content: `<p>theirs ${count}</p>` } : { name: `Theirs ${count}` };
      await editor.edit(kind, item.id, lang, { ...fields, ...edit }, {});
    }
  };
  /** In every second world, what the service does not tell has to be seen in its lists. */
  const isTold = seed % 2 === 0;
  /** Somebody writes on the site while a run writes, too. */
  const meanwhile: Rig['wrap'] = (send) => async (request) => {
    const isWrite = request.method !== 'GET';
    if (isWrite && random() < 0.1) await onSite();
    const asked = new Request(request);
    if (!isTold) asked.headers.delete('prefer');
    const answer = await send(asked);
    if (isWrite && random() < 0.1) await onSite();
    return answer;
  };
  const wishes = { prune: true, allow: new Set(['scope-change'] as const) };
  let known = 0;
  for (let step = 0; step < 14; step += 1) {
    rig.clock.advance(Math.floor(random() * 3) * 1000);
    if (random() < 0.55) {
      earlier.unshift(texts);
      earlier.length = Math.min(earlier.length, 4);
      texts = { ...texts, [one(Object.keys(texts))]: one(['x', 'y', `text ${step}`]) };
    }
    if (random() < 0.2) {
      const { [MORE]: has, ...rest } = texts;
      texts = has === undefined ? { ...texts, [MORE]: `more ${step}` } : rest;
    }
    if (step > 2 && random() < 0.2) await onSite();
    rig.outcomes = undefined;
    const { plan: forgetful } = await rig.plan(files(texts), wishes);
    await outcomesFor(texts, earlier);
    const { plan, requests } = await rig.plan(files(texts), wishes);
    expect(decided(plan), `step ${step}`).toEqual(decided(forgetful));
    if (requests <= 3 + plan.changes.length) known += 1;
    rig.wrap = meanwhile;
    await rig.sync(files(texts), wishes);
    rig.wrap = (send) => send;
  }
  expect(known).toBeGreaterThan(0);
});
