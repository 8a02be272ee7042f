import { posix } from 'node:path';
import { inlineHtml } from '../../../markdown/render.ts';
import { evaluatedTemplate } from '../../go-template/evaluate.ts';
import type { TemplateInput } from '../../go-template/evaluate.ts';
import { parsedTemplate } from '../../go-template/template.ts';
import type { Node } from '../../go-template/template.ts';
import { pageParameters, shortcodeCalls } from '../families/shortcodes.ts';
import type { ShortcodeCall } from '../families/shortcodes.ts';
import { isKnownName } from '../parts/parts.ts';
import type { IncludeForm, IncludingPage, Inclusion } from './form.ts';

/** Docsy's `{{% readfile file="a.md" %}}` and `{{< readfile file="/a.yaml" code="true" lang="yaml" >}}`; `/` is the content folder. */
export const HUGO_READFILE: IncludeForm = {
  name: 'readfile',
  isInCode: true,
  *find(text, { file, variable }) {
    if (!text.includes('readfile')) return;
    for (const { name, form, start, end, args } of shortcodeCalls(text)) {
      const written = args.named['file'] ?? args.positional[0];
      if (name.toLowerCase() !== 'readfile' || form === 'close' || written === undefined) continue;
      const root = variable('hugo.root') ?? '../';
      const path = written.replace(/^\/+/, '');
      const files = written.startsWith('/')
        ? [path, posix.join('..', path), posix.join(root, path)]
        : [posix.join(posix.dirname(file), path)];
      const isCode = args.named['code'] === 'true';
      yield { start, end, files, ...(isCode ? { code: args.named['lang'] ?? '' } : {}) };
    }
  },
};

/**
 * Shortcodes whose template lies in the repository and says by itself what it writes: `layouts/shortcodes/version.html` with a text, values of the settings and of the call, `if` and `with`
 * (https://gohugo.io/templates/shortcode/). Names that a rule or kbsync explains stay with them; a template that asks for more stays unknown.
 */
export const HUGO_TEMPLATES: IncludeForm = {
  name: 'layouts/shortcodes',
  isInCode: true,
  *find(text, page) {
    if (!/\{\{[<%]/.test(text)) return;
    const world: World = { page, templates: new Map(), budget: { steps: 100_000, chars: 200_000 } };
    yield* templatesIn(text, world, 0);
  },
};

interface World {
  readonly page: IncludingPage;
  readonly templates: Map<string, Template | undefined>;
  readonly budget: { steps: number; chars: number };
}

interface Template {
  readonly nodes: readonly Node[];
  readonly hasInner: boolean;
}

const DEPTH_MAX = 3;

function* templatesIn(text: string, world: World, depth: number): Generator<Inclusion> {
  const calls = [...shortcodeCalls(text)];
  const closers = closersOf(calls);
  let behind = 0;
  for (const call of calls) {
    if (world.budget.steps < 0 || world.budget.chars < 0) return;
    if (call.form === 'close' || call.start < behind || isKnownName(call.name)) continue;
    if (Object.hasOwn(world.page.rules, call.name)) continue;
    const template = templateOf(call.name, world);
    const closer = template?.hasInner === true ? closers.get(call) : undefined;
    if (template === undefined || (template.hasInner && closer === undefined)) continue;
    const inner = closer === undefined ? undefined : text.slice(call.end, closer.start);
    const put = evaluatedTemplate(template.nodes, inputOf(call, inner, world, depth));
    if (put === undefined) continue;
    const end = closer?.end ?? call.end;
    behind = end;
    const whole = tidy(put);
    // HTML of blocks would take the lines beside it in.
    const lineStart = text.lastIndexOf('\n', call.start - 1) + 1;
    const isApart = whole.includes('\n') && text.slice(lineStart, call.start).trim() === '';
    yield { start: call.start, end, text: isApart ? `\n${whole}\n` : whole };
  }
}

/** Opening call → the next closing one of its name, those of the same name inside counted. */
function closersOf(calls: readonly ShortcodeCall[]): ReadonlyMap<ShortcodeCall, ShortcodeCall> {
  const found = new Map<ShortcodeCall, ShortcodeCall>();
  const open = new Map<string, ShortcodeCall[]>();
  for (const call of calls) {
    const stack = open.get(call.name) ?? [];
    open.set(call.name, stack);
    if (call.form === 'open') stack.push(call);
    const opener = call.form === 'close' ? stack.pop() : undefined;
    if (opener !== undefined) found.set(opener, call);
  }
  return found;
}

function templateOf(name: string, { page, templates }: World): Template | undefined {
  if (templates.has(name)) return templates.get(name);
  const source = /^[\w/-]+$/.test(name) ? templateText(name, page) : undefined;
  const nodes = source === undefined ? undefined : parsedTemplate(source);
  const template = nodes === undefined ? undefined : { nodes, hasInner: /\.Inner\b/.test(source ?? '') };
  templates.set(name, template);
  return template;
}

/** Own layouts win over those of themes. */
function templateText(name: string, { page, variable }: IncludingPage): string | undefined {
  const root = variable('hugo.root') ?? '../';
  const themes = variable('hugo.themes')?.split('\n') ?? [];
  for (const folder of ['', ...themes.map((theme) => `themes/${theme}/`)]) {
    for (const shortcodes of ['_shortcodes', 'shortcodes']) {
      for (const form of ['html', 'md']) {
        const text = page.readText(posix.join(root, `${folder}layouts/${shortcodes}/${name}.${form}`));
        if (text !== undefined) return text;
      }
    }
  }
  return undefined;
}

function inputOf(
  { args, mark }: ShortcodeCall,
  inner: string | undefined,
  world: World,
  depth: number,
): TemplateInput {
  const { page, variable } = world.page;
  const pageParam = pageParameters(page);
  return {
    argument: (name) =>
      typeof name === 'number'
        ? args.positional[name]
        : Object.hasOwn(args.named, name)
          ? args.named[name]
          : undefined,
    hasNamed: Object.keys(args.named).length > 0,
    inner: inner === undefined ? undefined : innerText(inner, world, depth),
    siteParam: (path) => variable(`params.${path}`),
    pageParam: (path) => pageParam(path),
    file: (path) => page.readText(posix.join(variable('hugo.root') ?? '../', path)),
    // What has lines of its own is a block, which Markdown reads between blank lines.
    markdown: (text) => (isBlock(text) || text.includes(OPEN) ? blockOf(text) : inlineHtml(text)),
    escaped: (text) =>
      mark === '%' ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    budget: world.budget,
  };
}

function innerText(inner: string, world: World, depth: number): string {
  world.budget.steps -= Math.floor(inner.length / 20);
  if (depth >= DEPTH_MAX || !/\{\{[<%]/.test(inner)) return isBlock(inner) ? blockOf(inner) : inner;
  let text = '';
  let from = 0;
  for (const { start, end, text: put = '' } of templatesIn(inner, world, depth + 1)) {
    text += inner.slice(from, start) + put;
    from = end;
  }
  const whole = text + inner.slice(from);
  return isBlock(whole) ? blockOf(whole) : whole;
}

function isBlock(text: string): boolean {
  return /^[^\S\n]*\n/.test(text) || text.trim().includes('\n') || /\{\{[<%]/.test(text);
}

/** Around text of the page inside a template's own: signs that no text has. */
const OPEN = '\u0001';
const CLOSE = '\u0002';

function blockOf(text: string): string {
  return `${OPEN}${text.replaceAll(OPEN, '').replaceAll(CLOSE, '').trim()}${CLOSE}`;
}

const BLOCK = /<(?:div|p|h[1-6]|table|ul|ol|pre|blockquote|section|details|figure|hr|dl)\b/i;
/** What shows nothing, from its beginning to its end. */
const UNSEEN = [
  ['<!--', '-->'],
  ['<style', '</style>'],
  ['<script', '</script>'],
  ['<svg', '</svg>'],
  ['<meta', '>'],
  ['<link', '>'],
] as const;

function seen(text: string): string {
  let left = text;
  for (const [open, close] of UNSEEN) {
    let kept = '';
    let from = 0;
    for (let start = left.indexOf(open); start >= 0; start = left.indexOf(open, from)) {
      const end = left.indexOf(close, start + open.length);
      if (end < 0) break;
      kept += left.slice(from, start);
      from = end + close.length;
    }
    left = kept + left.slice(from);
  }
  return left;
}

/** A template's HTML as Markdown takes it: no indents that would be code, no blank lines that would end it, text of the page between blank lines. */
function tidy(put: string): string {
  const hasBlocks = BLOCK.test(put) || put.includes(OPEN);
  return put
    .split(OPEN)
    .flatMap((piece, at) => {
      const [inside, behind = ''] = at === 0 ? ['', piece] : piece.split(CLOSE);
      return [
        inside ?? '',
        seen(behind)
          .trim()
          .replaceAll(/\s*\n\s*/g, hasBlocks ? '\n' : ' '),
      ];
    })
    .filter((piece) => piece !== '')
    .join('\n\n');
}
