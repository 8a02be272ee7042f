import { posix } from 'node:path';
import { literalPattern } from '../../../../text/literal-pattern.ts';
import { scalar } from '../../pages/side-file.ts';
import type { IncludeForm, Inclusion } from './form.ts';

/** How a site marks what its templates do. */
interface Marks {
  readonly raw: RegExp;
  readonly include: RegExp;
  readonly output: RegExp;
  readonly comment: readonly [open: string, close: string];
}

/** The marks of Jinja, or those that the options `j2_…` of the plugin name. */
function marksOf(variable: (name: string) => string | undefined): Marks {
  const pair = (name: string, [open, close]: readonly [string, string]): readonly [string, string] => [
    variable(`macros.j2_${name}_start_string`) ?? open,
    variable(`macros.j2_${name}_end_string`) ?? close,
  ];
  const [block = '', end = ''] = pair('block', ['{%', '%}']).map(literalPattern);
  const [shown = '', shownEnd = ''] = pair('variable', ['{{', '}}']).map(literalPattern);
  return {
    raw: new RegExp(`${block}-?[ \\t]*(end)?raw[ \\t]*-?${end}`, 'g'),
    include: new RegExp(
      `(${block}-?[ \\t]*filter[ \\t]+indent\\((?:width=)?(\\d{1,2})[^)\\n]*\\)[ \\t]*-?${end}[ \\t]*\\n\\s*)?${block}-?[ \\t]*include[ \\t]+["']([^"'\\n]+)["'][^%\\n]*?${end}(\\s*${block}-?[ \\t]*endfilter[ \\t]*-?${end})?`,
      'g',
    ),
    output: new RegExp(`${shown}-?[ \\t]*([A-Za-z_][\\w.]*)[ \\t]*-?${shownEnd}`, 'g'),
    comment: pair('comment', ['{#', '#}']),
  };
}

/**
 * The plugin `macros` of MkDocs, where mkdocs.yml turns it on: `{% raw %}`, `{% include "a.md" %}` from `include_dir` (else the content folder), also indented by a filter, and
 * `{{ name }}` of the page's front matter, of `extra` or of `config` (https://mkdocs-macros-plugin.readthedocs.io). What the site's own Python writes stays a question.
 */
export const MACROS: IncludeForm = {
  name: 'macros',
  isInCode: true,
  *find(text, { variable, page }) {
    if (variable('macros') === undefined) return;
    const marks = marksOf(variable);
    yield* rawParts(text, marks.raw);
    // What begins inside of a raw part is left alone: it is taken already.
    const folder = variable('macros.include_dir') ?? '.';
    for (const { 0: whole, 1: filter, 2: width = '0', 3: name = '', 4: closes, index } of text.matchAll(
      marks.include,
    )) {
      if (/[*?]/.test(name) || (filter === undefined) !== (closes === undefined)) continue;
      const pad = ' '.repeat(Number(width));
      yield {
        start: index,
        end: index + whole.length,
        files: [posix.join(folder, name)],
        ...(filter === undefined ? {} : { adapt: (part: string) => part.trim().replaceAll(/^(?=.)/gm, pad) }),
      };
    }
    yield* comments(text, marks.comment);
    for (const { 0: whole, 1: name = '', index } of text.matchAll(marks.output)) {
      const keys = name.replace(/^page\.meta\./, '').split('.');
      const value = scalar(page.value?.(page.file, 'page', keys)) ?? variable(`macros ${name}`);
      if (value !== undefined) yield { start: index, end: index + whole.length, text: value };
    }
  },
};

/** From each `raw` to the next `endraw`: what stands between is text. */
function* rawParts(text: string, mark: RegExp): Generator<Inclusion> {
  let open: { readonly start: number; readonly end: number } | undefined;
  for (const { 0: whole, 1: closes, index } of text.matchAll(mark)) {
    if (closes === undefined) open ??= { start: index, end: index + whole.length };
    else if (open !== undefined) {
      const inside = text.slice(open.end, index).replace(/^\n/, '').replace(/\n$/, '');
      yield { start: open.start, end: index + whole.length, text: inside };
      open = undefined;
    }
  }
}

/** `{# … #}` */
function* comments(text: string, [open, end]: Marks['comment']): Generator<Inclusion> {
  for (let start = text.indexOf(open); start >= 0;) {
    const close = text.indexOf(end, start + open.length);
    if (close < 0) return;
    yield { start, end: close + end.length, text: '' };
    start = text.indexOf(open, close + end.length);
  }
}
