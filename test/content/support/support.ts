import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadDesired } from '../../../src/content/load-content.ts';
import type { ContentOptions } from '../../../src/content/options.ts';
import { keyOf } from '../../../src/model/key.ts';
import type { Kind } from '../../../src/model/key.ts';
import { problemMessage, showPlace } from '../../../src/model/problem.ts';
import type { Problem } from '../../../src/model/problem.ts';
import type { Redirect } from '../../../src/model/address/redirect.ts';
import type { DesiredRecord } from '../../../src/model/record.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A temporary folder with a `content` folder of these files in it; gone after the test. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-content-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'content'));
  write(folder, files);
  return folder;
}

export function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'content', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export const OPTIONS = {
  contentDir: 'content',
  defaultLanguage: 'en',
  languages: {},
  preset: 'kbsync',
  fields: {},
  defaults: {},
  urls: {
    article: '/{lang}/articles/{slug}',
    category: '/{lang}/categories/{slug}',
    tag: '/{lang}/tags/{slug}',
  },
  html: 'sanitize',
  nowMs: Date.parse('2026-11-22T12:00:00Z'),
  ignoreKeys: [],
  allow: new Set(),
} as const satisfies Omit<ContentOptions, 'cwd'>;

export interface Loaded {
  readonly problems: readonly Problem[];
  readonly records: ReadonlyMap<string, DesiredRecord>;
  readonly languages: readonly string[];
  readonly scopeDigest: string;
  readonly redirects: readonly Redirect[];
  /** `content/en/articles/a.md:2:8 wrong-type` */
  readonly places: readonly string[];
  readonly messages: readonly string[];
  readonly record: (kind: Kind, path: string, lang?: string) => DesiredRecord;
}

export async function loadFrom(folder: string, options: Partial<ContentOptions> = {}): Promise<Loaded> {
  const { state, problems } = await loadDesired({ ...OPTIONS, cwd: folder, ...options });
  return {
    problems,
    records: state.records,
    languages: state.languages,
    scopeDigest: state.scopeDigest,
    redirects: state.redirects ?? [],
    places: problems.map((problem) => `${showPlace(problem.at)} ${problem.code}`),
    messages: problems.map(problemMessage),
    record: (kind, path, lang = 'en') => {
      const found = state.records.get(keyOf(kind, path, lang));
      if (found === undefined)
        throw new Error(`no ${kind}/${path}@${lang} in ${[...state.records.keys()].join(', ')}`);
      return found;
    },
  };
}

export function load(files: Files, options: Partial<ContentOptions> = {}): Promise<Loaded> {
  return loadFrom(folderOf(files), options);
}

/** An article's text: front matter lines, then a body. */
export function page(lines: string, body = 'Text.\n'): string {
  return `---\n${lines}\n---\n${body}`;
}

/** The HTML of one article body. */
export async function html(body: string, options: Partial<ContentOptions> = {}): Promise<string> {
  const { record } = await load({ 'en/articles/a.md': page('title: A', body) }, options);
  return record('article', 'a').body?.render() ?? '';
}
