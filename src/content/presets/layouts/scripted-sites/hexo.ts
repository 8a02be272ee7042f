import { posix } from 'node:path';
import { instantOf, isZone } from '../../../instant.ts';
import { hexoSlug } from '../../../markdown/heading-id.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import type { TreeRules } from '../../pages/page-tree.ts';
import type { Preset } from '../../preset.ts';
import { globs } from '../../settings/patterns.ts';
import type { PathMatch } from '../../settings/patterns.ts';
import { settingAt, siteSettings } from '../../settings/site-settings.ts';
import { SYNTAX } from '../../syntax/syntaxes.ts';
import { textsOf } from '../../pages/side-file.ts';

const SETTINGS = ['_config.yml', '_config.yaml'];
/** Of the first level alone: in `fr/_posts/` Hexo reads nothing. */
const SHELF = /^_(?:posts|drafts)\//;

/**
 * Hexo, `content: source`: pages, and posts in `_posts`, whose addresses `permalink` makes. `_drafts` are drafts unless `render_drafts` says otherwise; `published: false`, names with `_` or `.` in front
 * and what `skip_render`, `exclude` and `ignore` name are no pages (https://hexo.io/docs).
 */
export function hexoPreset(input: PresetInput): Preset {
  const settings = siteSettings(input, SETTINGS);
  const find = languageFinder(input.paths.map(plainPath), input, { hasFolders: true, hasSuffixes: false });
  const isIncluded = globs(textsOf(settingAt(settings.value, 'include')));
  const nameOf = postNames(settings.value);
  const addressOf = postAddresses(input.readText, settings.value, nameOf);
  const isDraft = (file: string): boolean =>
    /(?:^|\/)_drafts\//.test(file) && settingAt(settings.value, 'render_drafts') !== true;
  const hidesFuture = settingAt(settings.value, 'future') === false;
  const zone = settingAt(settings.value, 'timezone');
  return pagePreset(
    {
      name: 'hexo',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        inLanguage: (path) => find(isIncluded(path) ? path.replaceAll(HIDDEN, '$1') : plainPath(path)),
        index: /^index$/,
        leftOut: leftOutRule(settings.value, isIncluded),
        meta: ({ file }) => {
          const { year, month, day } = nameOf(file);
          return {
            ...(isDraft(file) ? { isDraft: true } : {}),
            ...(year === undefined ? {} : { publishAt: `${year}-${month}-${day}` }),
          };
        },
      },
      target: {
        hasPrettyUrls: false,
        addressPrefixes: [],
        publicFolders: [],
        basePath: textsOf(settingAt(settings.value, 'root'))[0],
        permalinks: (file) => {
          if (!SHELF.test(file)) return [];
          const address = addressOf(file);
          // `post_link` names the post.
          return [`/posts/${nameOf(file)['title'] ?? ''}`, ...(address === undefined ? [] : [`/${address}`])];
        },
      },
      ownAddress: (file) =>
        addressOf(file) ??
        (isIncluded(file) ? file.replace(/\.\w+$/, '').replace(/(?:^|\/)index$/, '') : undefined),
      fileFor: (_, path, lang) => {
        if (lang !== input.defaultLanguage) return `${lang}/${path === '' ? 'index' : path}.md`;
        return `${path === '' ? 'index' : path.replace(/^posts\//, '_posts/')}.md`;
      },
      sideFiles: settings.text,
      problems: settings.problems,
      dialect: pageDialect(`hexo 1 ${hidesFuture}`, SYNTAX.hexo, {
        form: 'hexo',
        headingIds: settingAt(settings.value, 'marked', 'smartypants') === false ? 'hexo-plain' : 'hexo',
        addressKeys: ['permalink'],
        timezone: typeof zone === 'string' && isZone(zone) ? zone : undefined,
        fields: {
          excerpt: ['description', 'excerpt', 'subtitle'],
          status: ['published', 'draft'],
          categories: ['categories', 'category'],
          tags: ['tags', 'tag'],
        },
        publication: ({ get, place: { publishAt } }) => {
          if (!hidesFuture) return {};
          const date = get('date');
          const isDate = typeof date === 'string' && instantOf(date, 'UTC', true) !== undefined;
          return { publishKey: isDate ? 'date' : undefined, publishAt };
        },
      }),
    },
    input,
  );
}

/** `_posts/a.md` and `_drafts/a.md` are `posts/a`. */
function plainPath(path: string): string {
  return path.replace(SHELF, 'posts/');
}

const HIDDEN = /(^|\/)[_.]+/g;

/** `include` and `exclude` mean pages alone; `ignore` also means folders, from the root of the disk on. */
function leftOutRule(settings: unknown, isIncluded: PathMatch): NonNullable<TreeRules['leftOut']> {
  const isSkipped = globs(textsOf(settingAt(settings, 'skip_render')));
  const isExcluded = globs(textsOf(settingAt(settings, 'exclude')));
  const isIgnored = globs(textsOf(settingAt(settings, 'ignore')));
  return ({ file }) => {
    if (isSkipped(file)) return '`skip_render` of Hexo';
    const names = file.split('/');
    if (names.some((_, index) => isIgnored(`source/${names.slice(0, index + 1).join('/')}`)))
      return '`ignore` of Hexo';
    const isPost = SHELF.test(file);
    if (!isPost && isExcluded(file)) return '`exclude` of Hexo';
    const isHidden = file.replace(SHELF, '').search(HIDDEN) >= 0;
    return isHidden && (isPost || !isIncluded(file))
      ? 'Hexo reads no names that begin with `_` or `.`'
      : undefined;
  };
}

type PostName = Readonly<Record<string, string | undefined>>;

const SEGMENTS: Readonly<Record<string, string>> = {
  year: String.raw`\d{4}`,
  month: String.raw`\d{2}`,
  day: String.raw`\d{2}`,
  i_month: String.raw`\d{1,2}`,
  i_day: String.raw`\d{1,2}`,
  hash: '[0-9a-f]{12}',
};
const PARAMETER = /:(\w*[^_\W])/g;

/** What `new_post_name` reads in the name of a post: its title, and a date if all of it is there. */
function postNames(settings: unknown): (file: string) => PostName {
  const [rule = ':title.md'] = textsOf(settingAt(settings, 'new_post_name'));
  const names: string[] = [];
  const source = rule
    .replace(/\.\w+$/, '')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(PARAMETER, (_, name: string) => {
      names.push(name);
      return `(${SEGMENTS[name] ?? '.+?'})`;
    });
  // Two parts of any length at most: more make a pattern slow.
  const pattern = source.split('.+?').length <= 3 ? new RegExp(`^${source}$`) : undefined;
  return (file) => {
    if (!SHELF.test(file)) return {};
    const path = file.replace(SHELF, '').replace(/\.\w+$/, '');
    const [, ...found] = pattern?.exec(path) ?? [];
    const said: Record<string, string | undefined> = {};
    for (const [index, value] of found.entries()) said[names[index] ?? ''] = value;
    const [month, day] = [said['month'] ?? said['i_month'], said['day'] ?? said['i_day']];
    const hasDate = said['year'] !== undefined && month !== undefined && day !== undefined;
    return {
      ...said,
      title: said['title'] ?? hexoSlug(path),
      year: hasDate ? said['year'] : undefined,
      month: hasDate ? month.padStart(2, '0') : undefined,
      day: hasDate ? day.padStart(2, '0') : undefined,
    };
  };
}

/** `permalink` of the page, else of a post the pattern of the settings: `:year/:month/:day/:title/`. */
function postAddresses(
  readText: PresetInput['readText'],
  settings: unknown,
  nameOf: (file: string) => PostName,
): (file: string) => string | undefined {
  const [pattern = ':year/:month/:day/:title/'] = textsOf(settingAt(settings, 'permalink'));
  const [category = 'uncategorized'] = textsOf(settingAt(settings, 'default_category'));
  return (file) => {
    const head = /^(?:-{3,}\n)?([\s\S]*?)\n---/.exec(readText(file) ?? '')?.[1] ?? '';
    const said = (key: string): string | undefined =>
      new RegExp(`^${key}:[ \\t]*["']?([^"'\\n]+?)["']?[ \\t]*$`, 'm').exec(head)?.[1];
    const own = said('permalink');
    if (own !== undefined) return own.replace(/^\/+/, '').replace(/(?:^|\/)index\.html$|\.html$|\/$/, '');
    if (!SHELF.test(file)) return undefined;
    const name = nameOf(file);
    const { title = '' } = name;
    const [, year = name['year'], month = name['month'] ?? '', day = name['day'] ?? '', time] =
      /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d\d:\d\d:\d\d))?/.exec(said('date') ?? '') ?? [];
    const [hour, minute, second] = time?.split(':') ?? [];
    const values: Readonly<Record<string, string | undefined>> = {
      year,
      month: year === undefined ? undefined : month.padStart(2, '0'),
      day: year === undefined ? undefined : day.padStart(2, '0'),
      i_month: year === undefined ? undefined : String(Number(month)),
      i_day: year === undefined ? undefined : String(Number(day)),
      hour,
      minute,
      second,
      title,
      name: posix.basename(title),
      post_title: hexoSlug(said('title') ?? '').toLowerCase(),
      // The last one counts, below those before it; a list of lines is left to Hexo.
      category: /^(?:categories|category):/m.test(head)
        ? (said('categories') ?? said('category'))
            ?.replace(/^\[(.*)\]$/, '$1')
            .split(',')
            .map(hexoSlug)
            .join('/')
        : category,
      hash: undefined,
      id: said('id'),
      timestamp: undefined,
    };
    let isWhole = true;
    const address = pattern.replaceAll(PARAMETER, (_, key: string) => {
      const value = key in values ? values[key] : (name[key] ?? said(key) ?? defaultOf(settings, key));
      isWhole &&= value !== undefined && value !== '';
      return value ?? '';
    });
    return isWhole ? address.replace(/^\/+/, '').replace(/\/$|\.html$/, '') : undefined;
  };
}

function defaultOf(settings: unknown, key: string): string | undefined {
  return textsOf(settingAt(settings, 'permalink_defaults', key))[0];
}
