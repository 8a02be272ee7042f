import { posix } from 'node:path';
import { writtenTags } from '../families/jsx-tags.ts';
import { evaluated } from '../../liquid/evaluate.ts';
import { inRanges } from '../code-ranges.ts';
import type { Range } from '../code-ranges.ts';
import { tagArguments } from '../tag.ts';
import { givenTo } from './form.ts';
import type { IncludeForm, Inclusion, PartOfFile } from './form.ts';
import { modulePaths } from './module-paths.ts';
import { languageOf, lineRange, region, withoutMarks } from './parts.ts';

/** A file as a page names it: from its own folder; with `/` or one of `roots` in front from the content folder. */
function beside(file: string, written: string, roots: RegExp = /^\//): readonly string[] {
  if (roots.test(written)) return [posix.normalize(written.replace(roots, ''))];
  return [posix.join(posix.dirname(file), written)];
}

function* matches(text: string, pattern: RegExp): Generator<RegExpExecArray & { readonly end: number }> {
  for (const found of text.matchAll(pattern))
    yield Object.assign(found, { end: found.index + found[0].length });
}

/** Lines or a region behind a colon; without one the whole file. */
function partAt(written: string | undefined): (text: string) => PartOfFile {
  return (text) => {
    if (written === undefined || written === '') return { text: withoutMarks(text) };
    const lines = lineRange(written, text);
    return lines === undefined ? region(written, text) : { text: withoutMarks(lines) };
  };
}

/** mdBook: `{{#include file:lines}}`, `{{#rustdoc_include file:region}}`, `{{#playground file.rs}}`, in code as well; `{{#title …}}` shows nothing. */
export const MDBOOK: IncludeForm = {
  name: '#include',
  isInCode: true,
  *find(text, { file }) {
    for (const { 1: name, 2: written = '', index, end } of matches(
      text,
      /(?<!\\)\{\{#(include|rustdoc_include|playground|playpen|title)[ \t]+([^}\n]+?)[ \t]*\}\}/g,
    )) {
      if (name === 'title') {
        yield { start: index, end, text: '' };
        continue;
      }
      const [path = '', ...rest] = (written.split(/\s+/)[0] ?? '').split(':');
      const isCode = name === 'playground' || name === 'playpen';
      const part = rest.join(':');
      yield {
        start: index,
        end,
        files: beside(file, path),
        part: partAt(part),
        ...(isCode ? { code: languageOf(path) } : {}),
      };
    }
  },
};

/**
 * VitePress and VuePress: `<!--@include: ./part.md{3,7}-->`, in VuePress `{3-7}`, a part by its `#region` or its heading's id. `@parts/a.md` of
 * VitePress starts at the source folder, as `@/parts/a.md` does.
 */
export const VUE_INCLUDE: IncludeForm = {
  name: '@include',
  *find(text, { file, variable }) {
    for (const { 1: written = '', index, end } of matches(
      text,
      /<!--\s*@include:\s*(?=(\S(?:(?!-->|<!--)[^\n])*))\1\s*-->/g,
    )) {
      const [, path = '', name, lines] =
        /^([^#{\s]+)(?:#([\w-]+))?\s*(?:\{([\d,-]*)\})?$/.exec(written.trimEnd()) ?? [];
      yield {
        start: index,
        end,
        files: [...aliased(path, variable('import.path')), ...beside(file, path, /^(?:@\/?|~?\/)/)],
        part: (whole) => {
          const named: PartOfFile = name === undefined ? { text: whole } : section(name, whole);
          if ('missing' in named || lines === undefined) return named;
          return { text: lineRange(lines, named.text, lines.includes('-') ? '-' : ',') ?? named.text };
        },
      };
    }
  },
};

/** In VuePress, links and pictures of the part count from its own file (https://ecosystem.vuejs.press/plugins/markdown/markdown-include.html#resolvelinkpath). */
export const VUEPRESS_INCLUDE: IncludeForm = {
  ...VUE_INCLUDE,
  *find(text, page) {
    for (const inclusion of VUE_INCLUDE.find(text, page)) yield { ...inclusion, isRebased: true };
  },
};

/** VitePress and VuePress: `<<< @/code/a.js{2,4}[name]` and `<<< ./a.js#region`, `@[code](./a.js)`. */
export const VUE_CODE: IncludeForm = {
  name: '<<<',
  *find(text, { file, variable }) {
    for (const found of matches(
      text,
      /^[ \t]*(?:<<<[ \t]*([^\s{#[]+)(?:#([\w-]+))?[ \t]*(?:\{([^}\n]*)\})?[^\n]*|@\[code(?:\{[^}\n]*\})?(?:[ \t]+(\w+))?[^\]\n]*\]\(([^)\s]+)\))$/gm,
    )) {
      const {
        0: whole,
        1: snippet,
        2: name,
        3: braces = '',
        4: language,
        5: linked = '',
        index,
        end,
      } = found;
      const path = snippet ?? linked;
      const start = index + (/^[ \t]*/.exec(whole)?.[0].length ?? 0);
      const said = braces.split(/\s+/).find((word) => /^[a-z][\w+-]*$/i.test(word));
      yield {
        start,
        end,
        files: [...aliased(path, variable('import.path')), ...beside(file, path, /^(?:@|~)?\//)],
        ...(name === undefined ? {} : { part: (text: string) => region(name, text) }),
        code: said ?? language ?? languageOf(path),
      };
    }
  },
};

/** `alias folder` in each line, as `handleImportPath` of the settings says. */
function aliased(path: string, aliases = ''): readonly string[] {
  return aliases.split('\n').flatMap((line) => {
    const [alias = '', folder = ''] = line.split(' ');
    return alias !== '' && path.startsWith(alias) ? [posix.join(folder, path.slice(alias.length))] : [];
  });
}

/** A region, else the part below the heading that has this id. */
function section(name: string, text: string): PartOfFile {
  const marked = region(name, text);
  if ('text' in marked) return marked;
  const lines = text.split('\n');
  const id = (line: string): string =>
    /\{#([\w-]+)\}\s*$/.exec(line)?.[1] ??
    line
      .replace(/^#+\s*/, '')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
  const from = lines.findIndex((line) => /^#{1,6}\s/.test(line) && id(line) === name);
  if (from < 0) return marked;
  const level = /^#+/.exec(lines[from] ?? '')?.[0].length ?? 1;
  const to = lines.findIndex((line, at) => at > from && new RegExp(`^#{1,${level}}\\s`).test(line));
  return { text: lines.slice(from, to < 0 ? undefined : to).join('\n') };
}

/** The folder of mkdocs.yml: above the content, the content, or between it and the page (`en/mkdocs.yml`). */
function settingsFolders(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return ['..', '.', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** MkDocs: `--8<-- "file:part"` and blocks of names, in code as well; files count from the folder of mkdocs.yml and from `docs`. */
export const SNIPPETS: IncludeForm = {
  name: '--8<--',
  isInCode: true,
  *find(text, { file, variable }) {
    const bases = [...(variable('snippets.base_path')?.split('\n') ?? []), ...settingsFolders(file)];
    const files = (path: string): readonly string[] => bases.map((base) => posix.join(base, path));
    for (const { 0: whole, 1: written = '', index, end } of matches(
      text,
      /^[ \t>]*-{1,2}8<-{1,2}[ \t]+["']([^"'\n]+)["'][ \t]*$/gm,
    )) {
      const start = index + (/^[ \t>]*/.exec(whole)?.[0].length ?? 0);
      if (/^;|^https?:/.test(written)) continue;
      const [path = '', ...rest] = written.split(':');
      yield { start, end, files: files(path), part: partAt(rest.join(':')) };
    }
    for (const { 1: names = '', index, end } of matches(
      text,
      /^-{1,2}8<-{1,2}[ \t]*\n([\s\S]*?)\n-{1,2}8<-{1,2}[ \t]*$/gm,
    )) {
      const paths = names
        .split('\n')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith(';'));
      const [only = ''] = paths;
      if (paths.length === 1) yield { start: index, end, files: files(only) };
    }
  },
};

/** The plugin of MkDocs for examples: `{* ../code/a.py ln[5:9] hl[2] *}`, `{!a.md!}`. */
export const MARKDOWN_INCLUDE: IncludeForm = {
  name: '{* *}',
  isInCode: true,
  *find(text, { file }) {
    for (const { 1: inside = '', index, end } of matches(text, /\{\*[ \t]((?:(?!\{\*|\*\})[^\n])*)\*\}/g)) {
      const [, path, options = ''] = /^[ \t]*(\S+)(.*)$/s.exec(inside) ?? [];
      if (path === undefined) continue;
      const lines = /\bln\[([\d:,]+)\]/.exec(options)?.[1]?.split(',') ?? [];
      yield {
        start: index,
        end,
        files: settingsFolders(file).map((folder) => posix.join(folder, path)),
        part: (whole) => ({
          text: lines.length === 0 ? whole : lines.map((range) => lineRange(range, whole) ?? '').join('\n'),
        }),
        code: languageOf(path),
      };
    }
    for (const { 1: path = '', index, end } of matches(text, /\{!>?[ \t]*([^\s!]+)[ \t]*!\}/g))
      yield {
        start: index,
        end,
        files: settingsFolders(file).map((folder) => posix.join(folder, path)),
      };
  },
};

/**
 * DocFX: `[!INCLUDE [title](file.md)]`, `[!code-csharp[title](file.cs?range=1-3#region)]`; `~/` is the folder of docfx.json. Microsoft Learn:
 * `:::code language="csharp" source="file.cs" range="1-3":::`, or a part by its `id` (https://learn.microsoft.com/contribute/content/code-in-docs).
 */
export const DOCFX: IncludeForm = {
  name: '[!INCLUDE]',
  *find(text, { file }) {
    for (const { 0: whole, 1: attributes = '', index, end } of matches(
      text,
      /^[ \t>]*:::[ \t]*code[ \t]+(?![ \t])([^\n]*):::[ \t]*$/gm,
    )) {
      const { source, language, range, id } = tagArguments(attributes).named;
      if (source === undefined) continue;
      yield {
        start: index + (/^[ \t>]*/.exec(whole)?.[0].length ?? 0),
        end,
        files: beside(file, source, SITE_ROOT),
        code: language ?? languageOf(source),
        part: (file) => partOfCode(file, range?.split(','), id),
      };
    }
    for (const { 1: kind = '', 2: written = '', index, end } of matches(
      text,
      /\[!(INCLUDE|code(?:-[\w+#]+)?)[ \t]*\[[^\]\n]*\]\(([^)\s]+)(?:[ \t]+"[^"\n]*")?\)[ \t]*\]/gi,
    )) {
      const [, path = '', query = '', name] = /^([^?#]+)(?:\?([^#]*))?(?:#(.*))?$/.exec(written) ?? [];
      const files = beside(file, path, SITE_ROOT);
      if (/^include$/i.test(kind)) {
        yield { start: index, end, files, isRebased: true };
        continue;
      }
      const range = /(?:^|&)(?:range|start)=([\d\-,]+)/.exec(query)?.[1]?.split(',');
      const wanted = name ?? /(?:^|&)name=([\w-]+)/.exec(query)?.[1];
      yield {
        start: index,
        end,
        files,
        code: kind.replace(/^code-?/i, '').toLowerCase() || languageOf(path),
        part: (whole) => partOfCode(whole, range, wanted),
      };
    }
  },
};

const SITE_ROOT = /^~?\//;

function partOfCode(
  whole: string,
  range: readonly string[] | undefined,
  wanted: string | undefined,
): PartOfFile {
  if (range !== undefined)
    return { text: range.map((lines) => lineRange(lines.trim(), whole, '-') ?? '').join('\n') };
  const lines = /^L(\d+)(?:-L(\d+))?$/.exec(wanted ?? '');
  if (lines !== null) return { text: lineRange(`${lines[1]}-${lines[2] ?? lines[1]}`, whole, '-') ?? '' };
  return wanted === undefined ? { text: whole } : region(wanted, whole);
}

/** Docsify: `[name](file ':include')`, `:type=code`, `:fragment=name`. */
export const DOCSIFY: IncludeForm = {
  name: ':include',
  *find(text, { file }) {
    for (const { 1: path = '', 2: options = '', index, end } of matches(
      text,
      /\[[^[\]\n]*\]\(([^)\s]{1,2000})[ \t]+["'](:include[^"'\n]*)["']\)/g,
    )) {
      if (/^[a-z]+:/i.test(path)) continue;
      const type = /:type=(\w+)(?:[ \t]+([\w-]+))?/.exec(options);
      const name = /:fragment=([\w-]+)/.exec(options)?.[1];
      const isPage = type === null ? /\.(?:md|markdown)$/i.test(path) : type[1] === 'markdown';
      const isCode = type === null ? !/\.(?:md|markdown|html?|mp[34]|ogg)$/i.test(path) : type[1] === 'code';
      if (!isPage && !isCode) continue;
      yield {
        start: index,
        end,
        files: [...beside(file, path), posix.normalize(path.replace(/^\//, ''))],
        ...(name === undefined ? {} : { part: (whole: string) => fragment(name, whole) }),
        ...(isCode ? { code: type?.[2] ?? languageOf(path) } : { isRebased: true }),
      };
    }
  },
};

/** `### [name]` … `### [name]` of Docsify. */
function fragment(name: string, text: string): PartOfFile {
  const lines = text.split('\n');
  const isMark = (line: string): boolean =>
    /\[[\w-]+\](?:\s*(?:-->|\*\/))?\s*$/.test(line) && line.includes(`[${name}]`);
  const from = lines.findIndex(isMark);
  const to = lines.findIndex((line, at) => at > from && isMark(line));
  return from < 0 ? region(name, text) : { text: lines.slice(from + 1, to < 0 ? undefined : to).join('\n') };
}

/** Quarto: `{{< include _part.qmd >}}`, from the page, with `/` in front from the project (https://quarto.org/docs/authoring/includes.html). */
export const QUARTO_INCLUDE: IncludeForm = {
  name: 'include',
  *find(text, { file }) {
    for (const { 1: written = '', index, end } of matches(
      text,
      /(?<!\{)\{\{<[ \t]{1,9}include[ \t]{1,9}["']?([^"'\n>]{1,500}?)["']?[ \t]{0,9}>\}\}/g,
    ))
      yield { start: index, end, files: beside(file, written), isRebased: true };
  },
};

/** GitBook: `{% include "../.gitbook/includes/part.md" %}`. */
export const GITBOOK: IncludeForm = {
  name: 'include',
  *find(text, { file }) {
    for (const { 1: path = '', index, end } of matches(
      text,
      /\{%-?[ \t]*include[ \t]+["']([^"'\n]+)["'][ \t]*-?%\}/g,
    ))
      if (!/^[a-z]+:/i.test(path)) yield { start: index, end, files: beside(file, path), isRebased: true };
  },
};

/** Jekyll: `{% include part.md title="x" %}` from `_includes`, with `{{ include.title }}` in it, and `{% include_relative part.md %}`. Files of HTML are templates. */
export const JEKYLL: IncludeForm = {
  name: 'include',
  isInCode: true,
  *find(text, { file, rules }) {
    const inRaw = inRanges(
      [...text.matchAll(RAW)].map(({ 0: whole, index }): Range => [index, index + whole.length]),
    );
    for (const { 1: word = '', 2: name = '', 3: rest = '', index, end } of matches(
      text,
      /\{%-?\s*(include|include_relative)\s+([\w./-]+)(?![\w./-])([^%]*?)-?%\}/g,
    )) {
      if (inRaw(index)) continue;
      if (Object.hasOwn(rules, name) || !/\.(?:md|markdown|txt)$/i.test(name)) continue;
      const { named } = tagArguments(rest);
      yield {
        start: index,
        end,
        files: word === 'include' ? [`_includes/${name}`] : beside(file, name),
        adapt: (part) =>
          part.replaceAll(/\{\{-?\s*include\.([\w-]+)\s*-?\}\}/g, (_, key: string) => named[key] ?? ''),
      };
    }
  },
};

/** Shown as it is written. */
const RAW = /\{%-?\s*raw\s*-?%\}(?:(?!\{%-?\s*endraw\b)[^])*/g;

/** Liquid of Jekyll, as far as the repository decides what it writes. */
export const LIQUID: IncludeForm = {
  name: '{{ }}',
  isInCode: true,
  *find(text, { rules, page }) {
    const { value } = page;
    if (value === undefined || !/\{[{%]/.test(text)) return;
    yield* evaluated(text, {
      value: (name, keys) => value(page.file, name, keys),
      include: (name) => page.readText(posix.join('_includes', name)),
      isRuled: (name) => Object.hasOwn(rules, name),
    });
  },
};

/** `{{name}}` of Mintlify, by `variables` of docs.json. */
export const DOUBLE_BRACES: IncludeForm = {
  name: '{{ }}',
  isInCode: true,
  *find(text, { variable }) {
    for (const { 1: name = '', index, end } of matches(text, /\{\{[ \t]*([\w-]+)[ \t]*\}\}/g)) {
      const value = variable(name);
      if (value !== undefined) yield { start: index, end, text: value };
    }
  },
};

/**
 * MDX: `import Part from './_part.mdx'` with `<Part />`; `@site` is the repository's root, `/` the content folder, other names are those of tsconfig.json. The import goes, each use becomes the text; `<Markdown src="…" />` of Fern does both.
 * Properties that are texts are put where the part says `{props.name}` or `{name}`.
 */
export const MDX_IMPORTS: IncludeForm = {
  name: 'import',
  *find(text, { file, isMdx, rules, page }) {
    if (!isMdx || !/\.mdx?["'}]/.test(text)) return;
    const pathsOf = modulePaths(page);
    /** `~/` is the content folder, too. */
    const filesOf = (path: string): readonly string[] => [
      ...pathsOf(file, path),
      ...(path.startsWith('~/') ? beside(file, path, /^~\//) : []),
    ];
    const imported = new Map<string, string>();
    const imports: Inclusion[] = [];
    for (const { 1: name = '', 2: path = '', index, end } of matches(
      text,
      /^import[ \t]+([A-Z]\w*)[ \t]+from[ \t]*["']([^"'\n]+\.mdx?)["'](?:[ \t]*;)?[ \t]*$/gm,
    )) {
      if (Object.hasOwn(rules, name) || filesOf(path).length === 0) continue;
      // A text of JavaScript: `'./\_part.mdx'` is `./_part.mdx`.
      imported.set(name, path.replaceAll(/\\(?=[^\w]|_)/g, ''));
      imports.push({ start: index, end, text: '' });
    }
    yield* imports;
    for (const { name, form, start, end, args } of writtenTags(text, () => false)) {
      const path = name === 'Markdown' ? args.named['src'] : imported.get(name);
      // Mintlify's older way: a file of its folder of snippets.
      const snippet = name === 'Snippet' && !imported.has(name) ? args.named['file'] : undefined;
      const wanted = path ?? snippet;
      if (wanted === undefined || form === 'close' || !/\.mdx?$/.test(wanted)) continue;
      yield {
        start,
        end: form === 'open' && text.startsWith(`</${name}>`, end) ? end + name.length + 3 : end,
        files:
          path === undefined
            ? ['snippets', '_snippets'].map((folder) => posix.join(folder, wanted))
            : [...filesOf(wanted), ...beside(file, wanted)],
        isRebased: true,
        adapt: givenTo({ args }),
      };
    }
  },
};
