import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { loadDesired } from '../../../../src/content/load-content.ts';
import type { PresetName } from '../../../../src/content/presets/names.ts';
import { loadLayout } from '../../../../src/content/presets/load-layout.ts';
import { listingOf } from '../../../../src/content/reading/listing.ts';
import { OPTIONS } from '../../support/support.ts';

/** What a site generator made of a page, or what kbsync makes of it. */
interface Page {
  readonly address: string;
  readonly title: string;
  readonly ids: readonly string[];
}

interface Site {
  readonly preset: PresetName;
  readonly content: string;
  /** Pages that the generator makes without a file of their own. */
  readonly made?: readonly string[];
  /** A folder's page is a category, which has the title that navigations show, not its page's heading. */
  readonly categories?: Readonly<Record<string, string>>;
}

const SITES: Readonly<Record<string, Site>> = {
  hugo: { preset: 'hugo', content: 'content', made: ['fr/docs'] },
  mkdocs: { preset: 'mkdocs', content: 'docs' },
  jekyll: { preset: 'jekyll', content: '.' },
  gitbook: { preset: 'gitbook', content: '.' },
  vitepress: { preset: 'vitepress', content: '.', categories: { guide: 'The guide' } },
  // Pages without a translation are shown in the other language too; an unlisted page is there for who has its address.
  docusaurus: {
    preset: 'docusaurus',
    content: '.',
    made: [
      'docs/unlisted',
      'fr/docs/unlisted',
      'fr/docs/intro',
      'fr/docs/guide/more',
      'fr/docs/guide/more/use',
      'fr/community/people',
    ],
  },
  eleventy: { preset: 'eleventy', content: 'src' },
  // Hexo looks at `published` of posts alone, and never at `draft`; an author who says either means it.
  hexo: {
    preset: 'hexo',
    content: 'source',
    made: ['guide/page-published', '2024/02/07/draft-key'],
  },
  // Pages of the other version. A name that begins with `_` is a part for kbsync, with two of them too.
  rspress: {
    preset: 'rspress',
    content: 'docs',
    made: ['v1', 'v1/fr', 'v1/old', 'guide/__two'],
  },
  myst: { preset: 'myst', content: '.' },
  starlight: {
    preset: 'starlight',
    content: 'src/content/docs',
    made: ['fr', 'fr/guide/more'],
  },
};

const answers = (name: string): readonly Page[] =>
  // Written by scripts/oracles.mjs in this very form.
  JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as readonly Page[];

test.each(Object.keys(SITES))(
  '%s: the public pages, their titles, addresses and ids of headings are those of the generator',
  async (name) => {
    const site = SITES[name];
    if (site === undefined) throw new Error(`no site ${name}`);
    const wanted = answers(name)
      .filter(({ address }) => site.made?.includes(address) !== true)
      .map((page) => ({ ...page, title: site.categories?.[page.address] ?? page.title }));
    expect(await ourPages(name, site)).toEqual(wanted);
  },
);

const hasGenerators = process.env['KBSYNC_ORACLES'] !== undefined;
if (!hasGenerators)
  process.stderr.write(
    'skipped: the generators themselves run where KBSYNC_ORACLES is set, see scripts/oracles.mjs\n',
  );

test.skipIf(!hasGenerators).each(Object.keys(SITES))(
  '%s: what is kept is what the generator makes today',
  { timeout: 600_000 },
  (name) => {
    const script = join(import.meta.dirname, '../../../../scripts/oracles.mjs');
    const printed = execFileSync(process.execPath, [script, '--print', name], { encoding: 'utf8' });
    const isHere = printed.trim() !== '';
    if (!isHere)
      process.stderr.write(`skipped: ${name} is not here; scripts/oracles.mjs says how to get it\n`);
    expect(isHere ? JSON.parse(printed) : answers(name)).toEqual(answers(name));
  },
);

async function ourPages(name: string, { preset, content }: Site): Promise<readonly Page[]> {
  const cwd = join(import.meta.dirname, 'sites', name);
  const options = { ...OPTIONS, cwd, contentDir: content, preset };
  const { state, problems } = await loadDesired(options);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { foreign } = listingOf(options, await loadLayout(preset)).preset;
  return [...state.records.values()]
    .filter((record) => record.body !== undefined && record.fields['status'] !== 'draft')
    .map((record) => ({
      address: (
        foreign?.address(record.at.file.slice(content === '.' ? 0 : content.length + 1)) ?? ''
      ).replace(/\/$/, ''),
      title: String(record.fields['title'] ?? record.fields['name']),
      ids: idsIn(record.body?.render() ?? ''),
    }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function idsIn(html: string): readonly string[] {
  const ids: string[] = [];
  const parser = new Parser({
    onopentag: (tag, { id }) => {
      if (/^h[2-6]$/.test(tag) && id !== undefined) ids.push(id);
    },
  });
  parser.end(html);
  return ids;
}
