import { join } from 'node:path';
import type { World } from '../../world.ts';

/**
 * Whether articles in our own layout's folders are written for it: it needs a `title` in front matter. A help desk's export has the same folders
 * (`en/articles/4670264-invite-your-team.md`), and the title as a heading. Folders without an article are our own layout's.
 */
export async function areArticlesTitled(
  content: string,
  languages: readonly string[],
  world: World,
): Promise<boolean> {
  const looked: string[] = [];
  const waiting = languages.map((language) => join(content, language, 'articles'));
  for (let at = 0; at < waiting.length && at < FOLDERS_MAX && looked.length < ARTICLES_MAX; at++) {
    const folder = waiting[at] ?? '';
    for (const name of (await world.files.list(folder)) ?? []) {
      if (name.endsWith('/')) waiting.push(join(folder, name.slice(0, -1)));
      else if (/\.(?:md|markdown)$/i.test(name)) looked.push(join(folder, name));
    }
  }
  const texts = await Promise.all(
    looked.slice(0, ARTICLES_MAX).map(async (path) => await world.files.readMet(path, BYTES_MAX)),
  );
  return looked.length === 0 || texts.some((text) => text !== undefined && TITLED.test(text));
}

const FOLDERS_MAX = 50;
const ARTICLES_MAX = 40;
const BYTES_MAX = 1_000_000;
/** Front matter that says a title. */
const TITLED = /^\uFEFF?(?:---|\+\+\+)[ \t]*\r?\n(?:(?!---|\+\+\+).*\r?\n){0,200}?["']?title["']?[ \t]*[:=]/;
