import { KINDS } from '../../../model/key.ts';
import type { Kind } from '../../../model/key.ts';
import { suggest } from '../../suggest.ts';
import { textForPrograms } from '../pages/page-tree.ts';
import type { Placement, Preset } from '../preset.ts';

const FOLDERS: ReadonlyMap<string, Kind> = new Map([
  ['articles', 'article'],
  ['categories', 'category'],
  ['tags', 'tag'],
]);

const EXTENSION = /\.(?:md|markdown)$/i;
/** Texts for people who read the repository, not the help centre. */
const REPOSITORY_TEXT =
  /(?:^|\/)(?:readme|contributing|changelog|license|code_of_conduct|security)(?:\.[a-z-]+)?\.(?:md|markdown)$/i;
/** `01-install`, but not a date or a number that belongs to the name (`2026-review`, `05-06-notes`). */
const PREFIX = /^(\d{1,3})-(?!\d+(?:-|$))(.+)$/;

/** `en/articles/getting-started/install.md`: a folder per language, in it a folder per kind, below that the key path. */
export function kbsyncPreset(languages: Readonly<Record<string, string>>): Preset {
  return {
    name: 'kbsync',
    place: (path) => place(path, languages),
    linkTargets,
    inLanguage,
    fileFor: (kind, path, lang) => `${folderOf(lang, languages)}/${kindFolder(kind)}/${path}.md`,
  };
}

/** The name without its numeric prefix, and the prefix as a number. */
export function splitPrefix(name: string): { readonly name: string; readonly ordering?: number } {
  const found = PREFIX.exec(name);
  const rest = found?.[2];
  return rest === undefined ? { name } : { name: rest, ordering: Number(found?.[1]) };
}

function place(path: string, languages: Readonly<Record<string, string>>): Placement {
  if (!EXTENSION.test(path)) {
    return /\.mdx$/i.test(path)
      ? { role: 'unexpected', reason: 'MDX is not read; rename the file to .md if it is plain Markdown' }
      : { role: 'asset' };
  }
  const [languageFolder = '', kindFolderName = '', ...rest] = path.split('/');
  const kind = rest.length > 0 ? FOLDERS.get(kindFolderName) : undefined;
  const reason = textForPrograms(path);
  if (reason !== undefined) return { role: 'ignored', reason };
  if (kind === undefined) return stray(path, languageFolder, kindFolderName);
  const keyPath = keyPathOf(rest);
  const { name, ordering } = splitPrefix(keyPath.split('/').at(-1) ?? '');
  return {
    role: 'document',
    kind,
    lang: Object.hasOwn(languages, languageFolder)
      ? (languages[languageFolder] ?? languageFolder)
      : languageFolder,
    languageFolder,
    path: keyPath,
    defaultSlug: name.replaceAll(/\s+/g, '-'),
    ...(ordering === undefined ? {} : { ordering }),
  };
}

/** `a/index.md` and `a/_index.md` stand for `a`. */
function keyPathOf(segments: readonly string[]): string {
  const path = segments.join('/').replace(EXTENSION, '');
  return path.replace(/\/_?index$/, '');
}

function stray(path: string, first: string, second: string): Placement {
  if (REPOSITORY_TEXT.test(path)) return { role: 'ignored' };
  const wanted = '`<language>/articles`, `<language>/categories` or `<language>/tags`';
  if (!path.includes('/')) {
    return { role: 'unexpected', reason: `this file is not read: only files below ${wanted} are` };
  }
  const folder = path.split('/').length > 2 ? suggest(second, FOLDERS.keys()) : undefined;
  return {
    role: 'unexpected',
    reason: `this file is not read: only files below ${wanted} are`,
    ...(folder === undefined
      ? {}
      : { suggestion: `${first}/${folder}/${path.split('/').slice(2).join('/')}` }),
  };
}

function linkTargets(path: string): readonly string[] {
  const bare = path.replace(/(?<!\/)\/+$/, '');
  if (bare !== path) return [...indexes(bare), `${bare}.md`, `${bare}.markdown`, ...categoryOf(bare)];
  return [bare, `${bare}.md`, `${bare}.markdown`, ...indexes(bare), ...categoryOf(bare)];
}

function indexes(folder: string): readonly string[] {
  return [`${folder}/index.md`, `${folder}/_index.md`];
}

/** A folder of articles has no page of its own; its category has. */
function categoryOf(folder: string): readonly string[] {
  const [lang = '', kind, ...rest] = folder.split('/');
  return kind === 'articles' && rest.length > 0 ? [`${lang}/categories/${rest.join('/')}.md`] : [];
}

function inLanguage(path: string, languageFolder: string): string | undefined {
  const slash = path.indexOf('/');
  const second = path.slice(slash + 1).split('/')[0] ?? '';
  return slash > 0 && FOLDERS.has(second) ? `${languageFolder}${path.slice(slash)}` : undefined;
}

function kindFolder(kind: Kind): string {
  for (const [folder, its] of FOLDERS) if (its === kind) return folder;
  throw new Error(`bug: no folder for ${kind}; kinds are ${KINDS.join(', ')}`);
}

function folderOf(lang: string, languages: Readonly<Record<string, string>>): string {
  return Object.entries(languages).find(([, code]) => code === lang)?.[0] ?? lang;
}
