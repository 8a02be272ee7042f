import { posix } from 'node:path';
import type { IncludeForm, Inclusion } from './form.ts';

const RAW_MARK = /\{%-?[ \t]*(end)?raw[ \t]*-?%\}/g;
const INCLUDE =
  /(\{%-?[ \t]*filter[ \t]+indent\((?:width=)?(\d{1,2})[^)\n]*\)[ \t]*-?%\}[ \t]*\n\s*)?\{%-?[ \t]*include[ \t]+["']([^"'\n]+)["'][^%\n]*%\}(\s*\{%-?[ \t]*endfilter[ \t]*-?%\})?/g;
const OUTPUT = /\{\{-?[ \t]*([A-Za-z_][\w.]*)[ \t]*-?\}\}/g;

/**
 * The plugin `macros` of MkDocs, where mkdocs.yml turns it on: `{% raw %}`, `{% include "a.md" %}` from `include_dir` (else the content folder), also indented by a filter, and
 * `{{ name }}` of `extra` or `config` in mkdocs.yml (https://mkdocs-macros-plugin.readthedocs.io). What the site's own Python writes stays a question.
 */
export const MACROS: IncludeForm = {
  name: 'macros',
  isInCode: true,
  *find(text, { variable }) {
    if (!/\{[{%#]/.test(text) || variable('macros') === undefined) return;
    yield* rawParts(text);
    // What begins inside of a raw part is left alone: it is taken already.
    const folder = variable('macros.include_dir') ?? '.';
    for (const { 0: whole, 1: filter, 2: width = '0', 3: name = '', 4: closes, index } of text.matchAll(
      INCLUDE,
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
    yield* comments(text);
    for (const { 0: whole, 1: name = '', index } of text.matchAll(OUTPUT)) {
      const value = variable(`macros ${name}`);
      if (value !== undefined) yield { start: index, end: index + whole.length, text: value };
    }
  },
};

/** From each `raw` to the next `endraw`: what stands between is text. */
function* rawParts(text: string): Generator<Inclusion> {
  let open: { readonly start: number; readonly end: number } | undefined;
  for (const { 0: whole, 1: closes, index } of text.matchAll(RAW_MARK)) {
    if (closes === undefined) open ??= { start: index, end: index + whole.length };
    else if (open !== undefined) {
      const inside = text.slice(open.end, index).replace(/^\n/, '').replace(/\n$/, '');
      yield { start: open.start, end: index + whole.length, text: inside };
      open = undefined;
    }
  }
}

/** `{# … #}` */
function* comments(text: string): Generator<Inclusion> {
  for (let start = text.indexOf('{#'); start >= 0;) {
    const close = text.indexOf('#}', start + 2);
    if (close < 0) return;
    yield { start, end: close + 2, text: '' };
    start = text.indexOf('{#', close + 2);
  }
}
