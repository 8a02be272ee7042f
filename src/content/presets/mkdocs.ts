import { codeRanges, inRanges } from './code-ranges.ts';
import { translateInclude } from './components.ts';
import { spotsIn } from './edits.ts';
import { translateBlocks } from './mkdocs-blocks.ts';
import { languageFinder } from './page-languages.ts';
import { OWN_FIELDS, pagePreset } from './page-preset.ts';
import type { PresetInput } from './page-preset.ts';
import type { DialectContext, Edit, Foreign, Preset, Translation } from './preset.ts';
import type { LocalProblem } from '../source-text.ts';
import { sideFile, valueAt } from './side-file.ts';

const SETTINGS = ['../mkdocs.yml', '../mkdocs.yaml', 'mkdocs.yml'];

/** MkDocs, `content: docs`: titles and order from `nav` of mkdocs.yml above, `page.fr.md` or `fr/page.md`, `!!! note`. */
export function mkdocsPreset(input: PresetInput): Preset {
  const find = languageFinder(input.paths, input, { hasFolders: true, hasSuffixes: true });
  const settings = readSettings(input);
  const { pages, folders } = navigation(valueAt(settings.value, 'nav'));
  return pagePreset(
    {
      name: 'mkdocs',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        sideFiles: /^mkdocs\.ya?ml$/,
        inLanguage: find,
        index: /^(?:index|readme)$/i,
        meta: ({ rest, lang }) => {
          const entry = pages.get(rest);
          if (entry === undefined) return undefined;
          const { title, ordering } = entry;
          return title === undefined || lang !== input.defaultLanguage ? { ordering } : { title, ordering };
        },
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${path === '' ? 'index' : path}${lang === input.defaultLanguage ? '' : `.${lang}`}.md`,
      folder: (path) => folders.get(path),
      sideFiles: settings.text,
      problems: settings.problems,
      dialect: {
        version: 'mkdocs 1',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description'],
          description: ['description'],
          status: ['draft'],
          hideFromSearch: ['search.exclude', 'hideFromSearch'],
          tags: ['tags'],
        },
        addressKeys: [],
        hasCaselessKeys: false,
        hasHeadingTitles: true,
        translate: translateMkdocs,
      },
    },
    input,
  );
}

function readSettings({ readText }: PresetInput) {
  for (const path of SETTINGS) {
    const text = readText(path);
    if (text === undefined) continue;
    const { value, problems } = sideFile(text);
    const placed: Foreign['problems'] = problems.map((problem) => ({ path, problem }));
    return { value, text, problems: placed };
  }
  return { value: undefined, text: '', problems: [] };
}

interface Entry {
  readonly title?: string;
  readonly ordering: number;
}

/** Pages by file, and folders whose pages are all of one section's, in the order of the navigation. */
function navigation(nav: unknown) {
  const pages = new Map<string, Entry>();
  const folders = new Map<string, { readonly name: string; readonly priority: number }>();
  let ordering = 0;
  const walk = (items: unknown): readonly string[] => {
    const files: string[] = [];
    for (const item of Array.isArray(items) ? items : []) {
      ordering += 1;
      const priority = ordering;
      const [title, value]: readonly [string | undefined, unknown] =
        typeof item === 'object' && item !== null
          ? (Object.entries(item)[0] ?? [undefined, undefined])
          : [undefined, item];
      if (typeof value === 'string') {
        const file = value.replace(/^\.?\//, '');
        pages.set(file, title === undefined ? { ordering: priority } : { title, ordering: priority });
        files.push(file);
      } else {
        const inside = walk(value);
        const folder = sharedFolder(inside);
        if (folder !== '' && title !== undefined && !folders.has(folder))
          folders.set(folder, { name: title, priority });
        files.push(...inside);
      }
    }
    return files;
  };
  walk(nav);
  return { pages, folders };
}

function sharedFolder(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => file.slice(0, Math.max(0, file.lastIndexOf('/'))));
  return others.every((folder) => folder === first || folder.startsWith(`${first}/`)) ? first : '';
}

function translateMkdocs(body: string, context: DialectContext): Translation {
  const code = codeRanges(body);
  const blocks = translateBlocks(body, code, context);
  const rest = attributesAndSnippets(body, code, context);
  return { edits: [...blocks.edits, ...rest.edits], problems: [...blocks.problems, ...rest.problems] };
}

const ATTRIBUTES = /\{:?[^\S\n]{0,9}((?:[.#][\w:-]+|[\w-]+="[^"\n]{0,200}")[^{}\n]{0,200})\}/g;

/** `{: #id }` becomes `{#id}`, other attribute lists go; `--8<-- "file"` is an include. */
function attributesAndSnippets(
  body: string,
  code: readonly (readonly [number, number])[],
  { rules }: DialectContext,
): Translation {
  const inCode = inRanges(code);
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const spotAt = spotsIn(body);
  for (const { 0: whole, 1: inside = '', index } of body.matchAll(ATTRIBUTES)) {
    if (inCode(index)) continue;
    const before = body.slice(Math.max(body.lastIndexOf('\n', index - 1) + 1, index - 300), index);
    const isHeading = /^ {0,3}#{1,6} /.test(before);
    if (!isHeading && !/[^\s{]$/.test(before)) continue;
    const id = /#([\w:.-]+)/.exec(inside)?.[1];
    edits.push({
      start: index,
      end: index + whole.length,
      text: id !== undefined && isHeading ? `{#${id}}` : '',
    });
  }
  for (const { 0: whole, index } of body.matchAll(/^[ \t]*-{1,2}8<-{1,2}.*$/gm)) {
    const include = { name: '--8<--', whole, index, isProblem: true };
    const translated = translateInclude(include, { rules, spotAt });
    edits.push(...translated.edits);
    problems.push(...translated.problems);
  }
  return { edits, problems };
}
