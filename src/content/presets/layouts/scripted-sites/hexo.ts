import { posix } from 'node:path';
import { instantOf, isZone } from '../../../instant.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import type { TargetRules } from '../../pages/page-target.ts';
import type { Preset } from '../../preset.ts';
import { globs } from '../../settings/patterns.ts';
import { settingAt, siteSettings, textsOf } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';

const SETTINGS = ['_config.yml', '_config.yaml'];
const SHELF = /(^|\/)_(?:posts|drafts)\//;

/**
 * Hexo, `content: source`: pages, and posts in `_posts`, whose addresses `permalink` makes. `_drafts` are drafts unless `render_drafts` says otherwise; `published: false`, names with `_` in front
 * and what `skip_render` names are no pages (https://hexo.io/docs).
 */
export function hexoPreset(input: PresetInput): Preset {
  const settings = siteSettings(input, SETTINGS);
  const find = languageFinder(input.paths.map(plainPath), input, { hasFolders: true, hasSuffixes: false });
  const isSkipped = globs(textsOf(settingAt(settings.value, 'skip_render')));
  const isDraft = (file: string): boolean =>
    /(?:^|\/)_drafts\//.test(file) && settingAt(settings.value, 'render_drafts') !== true;
  const hidesFuture = settingAt(settings.value, 'future') === false;
  const zone = settingAt(settings.value, 'timezone');
  return pagePreset(
    {
      name: 'hexo',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        inLanguage: (path) => find(plainPath(path)),
        index: /^index$/,
        leftOut: ({ file }) => (isSkipped(file) ? '`skip_render` of Hexo' : undefined),
        meta: ({ file }) => (isDraft(file) ? { isDraft: true } : {}),
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: [],
        basePath: textsOf(settingAt(settings.value, 'root'))[0],
        permalinks: permalinkRule(input, settings.value),
      },
      fileFor: (_, path, lang) => {
        const folder = lang === input.defaultLanguage ? '' : `${lang}/`;
        return `${folder}${path === '' ? 'index' : path.replace(/^posts\//, '_posts/')}.md`;
      },
      sideFiles: settings.text,
      problems: settings.problems,
      dialect: pageDialect(`hexo 1 ${hidesFuture}`, SYNTAX.hexo, {
        form: 'hexo',
        headingIds: 'hexo',
        timezone: typeof zone === 'string' && isZone(zone) ? zone : undefined,
        fields: {
          excerpt: ['description', 'excerpt', 'subtitle'],
          status: ['published', 'draft'],
          categories: ['categories', 'category'],
          tags: ['tags', 'tag'],
        },
        publication: ({ get }) => {
          const date = hidesFuture ? get('date') : undefined;
          const isDate = typeof date === 'string' && instantOf(date, 'UTC', true) !== undefined;
          return isDate ? { publishKey: 'date' } : {};
        },
      }),
    },
    input,
  );
}

/** `_posts/a.md` and `_drafts/a.md` are `posts/a`. */
function plainPath(path: string): string {
  return path.replace(SHELF, '$1posts/');
}

/** `permalink` of the page, else the pattern of the settings: `:year/:month/:day/:title/`. */
function permalinkRule({ readText }: PresetInput, settings: unknown): NonNullable<TargetRules['permalinks']> {
  const [pattern = ':year/:month/:day/:title/'] = textsOf(settingAt(settings, 'permalink'));
  return (file) => {
    if (!SHELF.test(file)) return [];
    const head = /^(?:---[^\n]*\n)?([\s\S]*?)\n---/.exec(readText(file) ?? '')?.[1] ?? '';
    const said = (key: string): string | undefined =>
      new RegExp(`^${key}:[ \\t]*["']?([^"'\\n]+?)["']?[ \\t]*$`, 'm').exec(head)?.[1];
    const own = said('permalink');

    const title = file
      .replace(SHELF, '\0')
      .replace(/^.*\0/, '')
      .replace(/\.\w+$/, '');
    // What `post_link` names.
    const slug = `/posts/${title.replace(/^\d{4}-\d\d-\d\d-/, '')}`;
    if (own !== undefined) return [slug, posix.join('/', own)];
    const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(said('date') ?? '') ?? [];
    const values: Readonly<Record<string, string | undefined>> = {
      year,
      month: month.padStart(2, '0'),
      day: day.padStart(2, '0'),
      i_month: String(Number(month)),
      i_day: String(Number(day)),
      title: title.replace(/^\d{4}-\d\d-\d\d-/, ''),
      name: posix.basename(title).replace(/^\d{4}-\d\d-\d\d-/, ''),
      post_title: said('slug') ?? posix.basename(title),
    };
    const parts = pattern.replaceAll(/:(\w+)/g, (whole, key: string) => values[key] ?? said(key) ?? whole);
    return /:\w|\/\//.test(parts) ? [slug] : [slug, posix.join('/', parts)];
  };
}
