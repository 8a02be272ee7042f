import { cpSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PRESET_NAMES } from '../../../src/content/presets/names.ts';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { hasCorpora, reasonWithoutCorpora, unpackCorpus } from '../../support/corpus.ts';
import { editedLife } from './support/edited-life.ts';
import type { Outcome } from './support/edited-life.ts';
import { EDIT_KINDS } from './support/editor.ts';
import { siteOf, siteWith } from './support/layouts.ts';
import { realPages } from './support/real-pages.ts';

/**
 * `KBSYNC_PULL_EDITS=200` is what the figures of docs/reference/fidelity.md were measured with, and `KBSYNC_PULL_REPOSITORIES` (folders
 * with `:` between them) those of repositories as they are. `KBSYNC_SEED` is for other edits.
 */
const ASKED = process.env['KBSYNC_PULL_EDITS'];
const SEED = Number(process.env['KBSYNC_SEED'] ?? 0);
const EDITS = Number(ASKED ?? EDIT_KINDS.length);
const PAGES = ASKED === undefined ? 8 : 40;

if (!hasCorpora) process.stderr.write(`${reasonWithoutCorpora()}\n`);

let world: FakeWorld;
afterEach(() => world.close());

function told(preset: string, { report, whys }: Outcome): void {
  if (ASKED === undefined) return;
  const counts = new Map<string, number>();
  for (const why of whys) counts.set(why, (counts.get(why) ?? 0) + 1);
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([why, times]) => `  ${times} × ${why}`);
  process.stderr.write(`${preset}: ${report}\n${lines.join('\n')}\n`);
}

test.each(PRESET_NAMES)('%s: what editors do comes home into the lines it is about', async (preset) => {
  const { settings, files } = siteOf(preset);
  world = await fakeWorld(files);
  const outcome = await editedLife(world, { settings, seed: preset.length * 7919 + SEED, edits: EDITS });
  told(preset, outcome);
  expect(outcome.wrong).toEqual([]);
  const [headings, all] = outcome.tally.get('heading') ?? [0, 0];
  expect(headings).toBe(all);
  expect(outcome.share, `${outcome.report}\n${outcome.whys.join('\n')}`).toBeGreaterThan(0.7);
});

/** What hides nothing of an edit: links and pictures that the repository's own site would not show either. */
const LENIENT =
  'allow: [dead-link, dead-anchor, missing-image]\nassets: { baseUrl: https://cdn.example.com }\n';

describe.skipIf(!hasCorpora)('pages of real documentation', () => {
  let root = '';
  beforeAll(() => {
    root = unpackCorpus('dev-neutral');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test.each(PRESET_NAMES)('%s: what editors do to them comes home', async (preset) => {
    const { settings, files } = siteWith(preset, realPages(root, PAGES, preset.length * 104_729 + SEED));
    world = await fakeWorld(files);
    const outcome = await editedLife(world, {
      settings: `${settings}${LENIENT}`,
      seed: preset.length * 7919 + SEED,
      edits: EDITS,
    });
    told(preset, outcome);
    expect(outcome.wrong).toEqual([]);
    expect(outcome.share, `${outcome.report}\n${outcome.whys.join('\n')}`).toBeGreaterThan(0.7);
  });
});

const REPOSITORIES = (process.env['KBSYNC_PULL_REPOSITORIES'] ?? '').split(':').filter((name) => name !== '');

describe.skipIf(REPOSITORIES.length === 0)('repositories as they are', () => {
  test.each(REPOSITORIES)('%s', { timeout: 3_600_000 }, async (from) => {
    world = await fakeWorld();
    cpSync(from, join(world.cwd, 'repo'), { recursive: true, filter: (path) => basename(path) !== '.git' });
    expect(await world.run('init')).toMatchObject({ exit: 0 });
    const found = readFileSync(join(world.cwd, 'kbsync.yaml'), 'utf8');
    rmSync(join(world.cwd, 'kbsync.yaml'));
    const settings = `${found.replaceAll(/^(?:assets|allow|baseUrl):.*\n(?:[ \t].*\n)*/gm, '')}\n${LENIENT}`;
    const outcome = await editedLife(world, { settings, seed: 7919 + SEED, edits: EDITS, pagesMax: 40 });
    told(from, outcome);
    expect(outcome.wrong).toEqual([]);
  });
});
