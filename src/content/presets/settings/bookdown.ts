import { frontMatter } from '../../front-matter/read.ts';
import type { PageSystem, PresetInput } from '../pages/page-preset.ts';
import { sideFile, textsOf, valueAt } from '../pages/side-file.ts';
import { plainTitle } from '../../plain-title.ts';
import type { Foreign } from '../preset.ts';
import { citedWorks } from './bibliography.ts';
import { labelsIn } from './numbered-parts.ts';
import { settingAt } from './site-settings.ts';

export interface BookdownSettings {
  /** Files in the order of the book. */
  readonly chapters: readonly string[];
  /** The name of the part that begins with a file. */
  readonly parts: ReadonlyMap<string, string>;
  readonly text: string;
  readonly problems: Foreign['problems'];
  readonly valueOf: NonNullable<PageSystem['value']>;
}

/** `_bookdown.yml`, and what the front matter of `index.Rmd` says of the whole book. */
export function bookdownSettings(input: Pick<PresetInput, 'paths' | 'readText'>): BookdownSettings {
  const { paths, readText } = input;
  const text = readText('_bookdown.yml') ?? '';
  const { value, problems } = sideFile(text);
  const chapters = chaptersOf(paths, value);
  const parts = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const file of chapters) {
    const body = readText(file) ?? '';
    const part = /^# \((?:PART|APPENDIX)(?:\\?\*)?\)[ \t]*([^\n]*)$/m.exec(body)?.[1];
    if (part !== undefined) parts.set(file, plainTitle(part.replace(/[ \t]*\{[^{}]*\}[ \t]*$/, '')));
    for (const [, name = '', said = ''] of body.matchAll(/^\(ref:([\w-]{1,200})\)[ \t]+([^\n]*)$/gm))
      texts.set(name, said);
  }
  const index = chapters.find((file) => /^index\./i.test(file));
  const book: unknown = Object.fromEntries(
    frontMatter((index === undefined ? undefined : readText(index)) ?? '').values,
  );
  const labels = labelsIn(chapters, readText, {
    chapters,
    language: textsOf(valueAt(book, 'lang'))[0] ?? 'en',
  });
  const works = citedWorks({
    readText,
    bibliographyOf: () => textsOf(valueAt(book, 'bibliography')),
    isBook: false,
  });
  const echo = /opts_chunk\$set\([^)]*\becho\s*=\s*(F|FALSE)\b/.test(
    [index, '_common.R', '_setup.R']
      .map((file) => (file === undefined ? '' : (readText(file) ?? '')))
      .join('\n'),
  );
  return {
    chapters,
    parts,
    text: `${text}${labels.text}${echo}${[...texts].join('\n')}`,
    problems: problems.map((problem) => ({ path: '_bookdown.yml', problem })),
    valueOf: (file, name, keys) => {
      const [key = ''] = keys;
      switch (name) {
        case 'meta':
          return keys.join('.') === 'execute.echo' ? (echo ? 'false' : undefined) : settingAt(book, ...keys);
        case 'text':
          return texts.get(key);
        default:
          return (
            works.valueOf(file, name, key) ??
            labels.valueOf(file, name, key) ??
            labels.valueOf(file, name, key.replace(/^[a-z]+:/, ''))
          );
      }
    },
  };
}

/** `rmd_files`, which may differ by format; else the sources of the folder by their names, `index` first. */
function chaptersOf(paths: readonly string[], value: unknown): readonly string[] {
  const said = valueAt(value, 'rmd_files');
  const listed = textsOf(settingAt(said, 'html') ?? said);
  const all = new Set(paths);
  if (listed.length > 0) {
    const files = listed.map((file) => file.replace(/^\.\//, '')).filter((file) => all.has(file));
    return files.some((file) => /^index\.rmd$/i.test(file))
      ? files
      : [...paths.filter((path) => /^index\.rmd$/i.test(path)), ...files];
  }
  const subfolders = valueAt(value, 'rmd_subdir');
  const named = textsOf(subfolders);
  const isIn = (path: string): boolean => {
    if (!path.includes('/')) return true;
    return subfolders === true || named.some((folder) => path.startsWith(`${folder.replace(/\/$/, '')}/`));
  };
  const files = paths.filter(
    (path) => /\.rmd$/i.test(path) && isIn(path) && !path.split('/').some((name) => /^[_.]/.test(name)),
  );
  return files.sort((a, b) => Number(/^index\./i.test(b)) - Number(/^index\./i.test(a)) || (a < b ? -1 : 1));
}
