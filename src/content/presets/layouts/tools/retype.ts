import { posix } from 'node:path';
import { filesByName, withNames } from '../../pages/by-name.ts';
import { languageFinder } from '../../pages/page-languages.ts';
import { pageDialect } from '../../pages/page-dialect.ts';
import { pagePreset } from '../../pages/page-preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';
import { scalar, sideFile, textsOf, valueAt } from '../../pages/side-file.ts';
import type { Preset } from '../../preset.ts';
import { gitignore } from '../../settings/patterns.ts';
import { siteSettings } from '../../settings/site-settings.ts';
import { retypeTranslator } from '../../syntax/syntaxes.ts';

const INDEX = /^(?:readme|index|default)$/i;
const SETTINGS = /\.ya?ml$/i;
const FOLDER = /(?:^|\/)index\.ya?ml$/i;
const UNREAD = 'unreadable';
const LOCKED = /^(?:private|protected|unreadable)$/;

/**
 * Retype (https://retype.com), from the folder of retype.yml or its `input`: a folder is a category, whose name index.yml may say, README its page. What begins
 * with `_`, and what `exclude` names, is no page. A hidden page is a draft; one with a password is none; page.yml beside it and index.yml of its folders say so too. `[[Page]]` is the page of that name.
 */
export function retypePreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const isPart = (path: string): boolean => path.split('/').some((name) => name.startsWith('_'));
  const settings = siteSettings(input, ['retype.yml', 'retype.yaml']);
  const isExcluded = gitignore(textsOf(valueAt(settings.value, 'exclude')).join('\n'));
  const names = filesByName(paths.filter((path) => !isPart(path)));
  const lower = new Set(paths.filter((path) => !isExcluded(path)).map((path) => path.toLowerCase()));
  const labels = new Map<string, string>();
  const visibilities = new Map<string, string>();
  const problems = [...settings.problems];
  const pages = new Set(paths.map(withoutEnd));
  let texts = settings.text;
  for (const path of paths.filter((name) => SETTINGS.test(name) && !isPart(name))) {
    const isFolder = FOLDER.test(path);
    if (!isFolder && !pages.has(withoutEnd(path))) continue;
    const text = readText(path);
    const read = sideFile(text ?? '');
    texts += `${path}\n${text ?? ''}\n`;
    problems.push(...read.problems.map((problem) => ({ path, problem })));
    // Nobody knows which pages an unreadable one locks, so none may be shown.
    const isUnread = text === undefined || read.problems.length > 0;
    const visibility = isUnread ? UNREAD : scalar(valueAt(read.value, 'visibility'))?.toLowerCase();
    if (visibility !== undefined) visibilities.set(withoutEnd(path), visibility);
    const label = scalar(valueAt(read.value, 'label'));
    if (isFolder && label !== undefined) labels.set(find(path).rest.replace(/\/?[^/]*$/, ''), label);
  }
  const preset = pagePreset(
    {
      name: 'retype',
      tree: {
        documents: /\.md$/i,
        sideFiles: /\.ya?ml$/i,
        inLanguage: (path) => (isPart(path) ? undefined : find(path)),
        leftOut: ({ file }) => {
          if (isExcluded(file)) return '`exclude` of retype.yml leaves it out';
          const first = pageBefore(file, lower);
          return first === undefined ? undefined : `${first} beside it is the page of the folder`;
        },
        index: INDEX,
      },
      target: { hasPrettyUrls: true, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      folder: (path) => ({ name: labels.get(path) }),
      sideFiles: texts,
      problems,
      dialect: pageDialect(
        'retype 2',
        retypeTranslator((name) => names.find(name) !== undefined),
        {
          // https://retype.com/components/emoji/
          extensions: { hasEmojiCodes: true },
          fields: { tags: ['tags', 'tag'] },
          addressKeys: ['permalink', 'route'],
          publication: ({ get, place }) => {
            const own = { name: '', visibility: (scalar(get('visibility')) ?? '').toLowerCase() };
            const said = [own, ...saidBeside(place.file ?? place.path, visibilities)];
            const lock = said.find(({ visibility }) => LOCKED.test(visibility));
            if (lock !== undefined) return { lockedBy: `${lock.name}visibility: ${lock.visibility}` };
            return said.some(({ visibility }) => visibility === 'hidden') ? { isDraft: true } : {};
          },
        },
      ),
    },
    input,
  );
  return withNames(preset, names);
}

/** Of the pages that may be the page of a folder Retype takes the first one. */
const DEFAULT_PAGES = ['index.md', 'readme.md', 'default.md'];

function pageBefore(path: string, lower: ReadonlySet<string>): string | undefined {
  const rank = DEFAULT_PAGES.indexOf(posix.basename(path).toLowerCase());
  const folder = posix.dirname(path.toLowerCase());
  return DEFAULT_PAGES.slice(0, Math.max(0, rank)).find((name) => lower.has(posix.join(folder, name)));
}

/** What page.yml beside a page, and index.yml of its folder and of those above, say; they are named by their paths without end. */
function saidBeside(page: string, visibilities: ReadonlyMap<string, string>) {
  const places = [withoutEnd(page)];
  for (let folder = posix.dirname(page); ; folder = posix.dirname(folder)) {
    places.push(posix.join(folder, 'index'));
    if (folder === '.') break;
  }
  return places.flatMap((place) => {
    const visibility = visibilities.get(place);
    return visibility === undefined ? [] : [{ name: `${place}.yml: `, visibility }];
  });
}

/** `index` in small letters, as folders are looked up by it. */
function withoutEnd(path: string): string {
  return path.replace(/\.(?:md|ya?ml)$/i, '').replace(/(?<=^|\/)index$/i, 'index');
}
