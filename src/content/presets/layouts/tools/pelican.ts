import { digestOfText } from '../../../../model/digest.ts';
import type { Dialect, FrontMatterKeys, Publication } from '../../preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import { scalar } from '../../pages/side-file.ts';
import { pythonTexts } from '../../settings/sphinx.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';

/** What Pelican says about the pages of a plain folder. */
interface PelicanRules {
  readonly leftOut: (file: string) => string | undefined;
  readonly fields: Dialect['fields'];
  readonly rules: Omit<Dialect, 'fields' | 'addressKeys' | 'hasCaselessKeys'>;
}

/** A date in front of the name, as `FILENAME_METADATA` has it. */
const DATED = /(?:^|\/)\d{4}-\d{2}-\d{2}[^/]*$/;
/** Settings that give dates or other keys to pages that have none. */
const OTHER_METADATA = /^(?:DEFAULT_DATE|FILENAME_METADATA|(?:EXTRA_)?PATH_METADATA)[ \t]*=/m;
/** A title that a path gives. */
const TITLE_OF_PATH = /^[^#\n]*\(\?P<title>/m;
const ABOVE = ['', '../', '../../'];

/**
 * Pelican (https://docs.getpelican.com/en/latest/content.html), where pelicanconf.py lies in the content folder or up to two folders above: keys
 * without YAML; `Status: draft` and `hidden` are drafts, `skip` is no page; nothing is published without a title, no article without a date;
 * `ARTICLE_PATHS`, `PAGE_PATHS` and what they exclude (https://docs.getpelican.com/en/latest/settings.html). Undefined: it is another site.
 */
export function pelicanRules({ readText }: Pick<PresetInput, 'readText'>): PelicanRules | undefined {
  const depth = ABOVE.findIndex((folder) => readText(`${folder}pelicanconf.py`) !== undefined);
  const conf = readText(`${ABOVE[depth] ?? ''}pelicanconf.py`);
  if (conf === undefined) return undefined;
  const below = belowPath(conf, depth);
  const articles = pythonTexts(conf, 'ARTICLE_PATHS');
  const saidPages = pythonTexts(conf, 'PAGE_PATHS');
  const pages = saidPages.length === 0 ? ['pages'] : saidPages;
  const excludes = {
    page: pythonTexts(conf, 'PAGE_EXCLUDES'),
    article: pythonTexts(conf, 'ARTICLE_EXCLUDES'),
  };
  const isPage = (file: string): boolean =>
    below === undefined || pages.some((folder) => isIn(below(file) ?? file, folder));
  return {
    leftOut: (path) => {
      if (below === undefined) return undefined;
      const file = below(path);
      if (file === undefined) return 'it lies outside of PATH of pelicanconf.py';
      const kind = isPage(path) ? 'page' : 'article';
      if (excludes[kind].some((folder) => isIn(file, folder))) return 'pelicanconf.py excludes its folder';
      const isFound =
        kind === 'page' || articles.length === 0 || articles.some((folder) => isIn(file, folder));
      return isFound ? undefined : 'it lies in no folder of ARTICLE_PATHS and PAGE_PATHS of pelicanconf.py';
    },
    fields: { excerpt: ['summary'], categories: ['category'], status: [] },
    rules: {
      version: `plain pelican 2 ${digestOfText(conf)}`,
      form: 'pelican',
      hasHeadingTitles: false,
      headingIds: 'python',
      // `extra`, which Pelican loads unless MARKDOWN says otherwise, has them.
      extensions: {
        hasDefinitionLists: !/^MARKDOWN[ \t]*=/m.test(conf) || /\b(?:extra|def_list)\b/.test(conf),
      },
      publication: published(conf, isPage, (file) => below?.(file) ?? file),
      translate: SYNTAX.pelican,
    },
  };
}

/** A path of the content folder as one of the folder `PATH`; undefined of one: it lies elsewhere; no function: the content folder is a part of `PATH`, and nobody knows which. */
function belowPath(conf: string, depth: number): ((file: string) => string | undefined) | undefined {
  const said = /^PATH[ \t]*=[ \t]*["']([\w.-][\w./-]*)["']/m.exec(conf)?.[1];
  const names = said?.split('/').filter((name) => name !== '' && name !== '.');
  if (names === undefined || names.includes('..')) return (file) => file;
  if (names.length < depth) return undefined;
  const start = names
    .slice(depth)
    .map((name) => `${name}/`)
    .join('');
  return (file) => (file.startsWith(start) ? file.slice(start.length) : undefined);
}

/** `EXTRA_PATH_METADATA = {'drafts': {'status': 'draft'}}`: what is said of a file or of all below a folder; the last one counts. */
function pathStatuses(conf: string): readonly (readonly [path: string, status: string])[] {
  return [
    ...conf.matchAll(/["']([^"'\n]+)["'][ \t]*:[ \t]*\{[^{}]*["']status["'][ \t]*:[ \t]*["'](\w+)/g),
  ].map(([, path = '', status = '']) => [path, status.toLowerCase()] as const);
}

function published(conf: string, isPage: (file: string) => boolean, inPath: (file: string) => string) {
  // Python's patterns are not run here: a status that a path may have is taken for a draft's.
  const unread = /^[^#\n]*\(\?P<status>/m.test(conf) ? 'draft' : undefined;
  const ofPaths = pathStatuses(conf);
  const usual = /^DEFAULT_METADATA[ \t]*=[ \t]*\{[^{}]*["']status["'][ \t]*:[ \t]*["'](\w+)/m.exec(conf)?.[1];
  const language = /^DEFAULT_LANG[ \t]*=[ \t]*["']([\w-]+)/m.exec(conf)?.[1] ?? 'en';
  const showsFuture = !/^WITH_FUTURE_DATES[ \t]*=[ \t]*False\b/m.test(conf);
  return ({ get, place: { file = '' } }: FrontMatterKeys): Publication => {
    const said = (key: string): string | undefined => scalar(get(key))?.trim().toLowerCase();
    if ((said('title') ?? '') === '' && !TITLE_OF_PATH.test(conf))
      return { leftOut: 'Pelican publishes nothing without a title' };
    const isDated = get('date') !== undefined || DATED.test(file) || OTHER_METADATA.test(conf);
    if (!isDated && !isPage(file)) return { leftOut: 'Pelican publishes no article without a date' };
    const ofPath = ofPaths.findLast(([path]) => isIn(inPath(file), path))?.[1] ?? unread;
    const status = said('status') ?? ofPath ?? usual ?? 'published';
    if (status === 'skip') return { leftOut: '`status: skip`' };
    const lang = said('lang');
    if (lang !== undefined && lang !== language.toLowerCase())
      return { leftOut: `\`lang: ${lang}\` is a translation, which kbsync does not read from Pelican` };
    if (status !== 'published') return { isDraft: true };
    return showsFuture ? {} : { publishKey: 'date' };
  };
}

function isIn(file: string, folder: string): boolean {
  const name = folder.replace(/\/+$/, '');
  return name === '' || file === name || file.startsWith(`${name}/`);
}
