import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../support/random.ts';
import type { Page } from './layouts.ts';

const REPOSITORIES = ['otel-docs', 'hetzner-tutorials', 'cncf-glossary'] as const;
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n+/;
/** Edits of a page of a megabyte take long and show nothing more. */
const CHARS = { min: 400, max: 12_000 } as const;

/** So many pages of the corpora (unpacked at `root`), the same for the same seed: real authors' Markdown, as they wrote it. */
export function realPages(root: string, count: number, seed: number): readonly Page[] {
  const random = seededRandom(seed);
  const files = REPOSITORIES.flatMap((name) => {
    const folder = join(root, 'neutral/dev', name, 'en/articles');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .sort()
      .map((file) => join(folder, file));
  });
  const pages: Page[] = [];
  const titles = new Set<string>();
  while (pages.length < count && files.length > 0) {
    const [file = ''] = files.splice(Math.floor(random() * files.length), 1);
    const text = readFileSync(file, 'utf8');
    const title = /^title: (.*)$/m
      .exec(FRONT_MATTER.exec(text)?.[1] ?? '')?.[1]
      ?.replaceAll(/^["']|["']$/g, '')
      .replaceAll(/[^\p{L}\p{N} ]/gu, '')
      .trim();
    const body = text.replace(FRONT_MATTER, '');
    const isFit = body.length >= CHARS.min && body.length <= CHARS.max;
    if (title === undefined || title === '' || titles.has(title) || !isFit) continue;
    titles.add(title);
    pages.push({ name: `page-${pages.length + 1}`, title, text: body });
  }
  return pages;
}
