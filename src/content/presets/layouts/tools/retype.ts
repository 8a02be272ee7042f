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
const FOLDER = /(?:^|\/)index\.ya?ml$/i;

/**
 * Retype (https://retype.com), from the folder of retype.yml or its `input`: a folder is a category, whose name index.yml may say, README its page. What begins
 * with `_`, and what `exclude` names, is no page. A hidden page is a draft; one with a password is none. `[[Page]]` is the page of that name.
 */
export function retypePreset(input: PresetInput): Preset {
  const { paths, readText } = input;
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const isPart = (path: string): boolean => path.split('/').some((name) => name.startsWith('_'));
  const settings = siteSettings(input, ['retype.yml', 'retype.yaml']);
  const isExcluded = gitignore(textsOf(valueAt(settings.value, 'exclude')).join('\n'));
  const names = filesByName(paths.filter((path) => !isPart(path)));
  const labels = new Map<string, string>();
  let texts = settings.text;
  for (const path of paths.filter((name) => FOLDER.test(name) && !isPart(name))) {
    const text = readText(path) ?? '';
    texts += `${path}\n${text}\n`;
    const label = scalar(valueAt(sideFile(text).value, 'label'));
    if (label !== undefined) labels.set(find(path).rest.replace(/\/?[^/]*$/, ''), label);
  }
  const preset = pagePreset(
    {
      name: 'retype',
      tree: {
        documents: /\.md$/i,
        sideFiles: /\.ya?ml$/i,
        inLanguage: (path) => (isPart(path) ? undefined : find(path)),
        leftOut: ({ file }) => (isExcluded(file) ? '`exclude` of retype.yml leaves it out' : undefined),
        index: INDEX,
      },
      target: { hasPrettyUrls: true, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'README' : path}.md`,
      folder: (path) => ({ name: labels.get(path) }),
      sideFiles: texts,
      dialect: pageDialect(
        'retype 1',
        retypeTranslator((name) => names.find(name) !== undefined),
        {
          fields: { tags: ['tags', 'tag'] },
          addressKeys: ['permalink', 'route'],
          publication: ({ get }) => {
            const visibility = (scalar(get('visibility')) ?? '').toLowerCase();
            if (/^(?:private|protected)$/.test(visibility)) return { lockedBy: `visibility: ${visibility}` };
            return visibility === 'hidden' ? { isDraft: true } : {};
          },
        },
      ),
    },
    input,
  );
  return withNames(preset, names);
}
