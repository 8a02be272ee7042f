import { posix } from 'node:path';
import { once } from '../../../../model/once.ts';
import { inlineHtml } from '../../../markdown/render.ts';
import { htmlparser2 } from '../../../parsers.ts';
import { evaluatedTemplate } from '../../go-template/evaluate.ts';
import type { TemplateInput } from '../../go-template/input.ts';
import { unknown } from '../../go-template/value.ts';
import type { Result } from '../../go-template/value.ts';
import { frontMatter } from '../../../front-matter/read.ts';
import { parsedTemplate } from '../../go-template/template.ts';
import type { Node } from '../../go-template/template.ts';
import { pageParameters, shortcodeCalls } from '../families/shortcodes.ts';
import type { ShortcodeCall } from '../families/shortcodes.ts';
import type { Range } from '../code-ranges.ts';
import { isKnownName, isLockedName } from '../parts/parts.ts';
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
      const mounted = mountedFiles(files[0] ?? path, root, variable('hugo.mounts'));
      const isCode = args.named['code'] === 'true';
      yield {
        start,
        end,
        files: [...files, ...mounted],
        ...(isCode ? { code: args.named['lang'] ?? '' } : {}),
      };
    }
  },
};

/** Where mounts of Hugo, `target` and `source` with a tab between in each line, take a file of the content from. */
function mountedFiles(path: string, root: string, mounts = ''): readonly string[] {
  return mounts.split('\n').flatMap((line) => {
    const [target = '', source] = line.split('\t');
    if (source === undefined) return [];
    return [path, `content/${path}`]
      .filter((each) => each.startsWith(`${target}/`))
      .map((each) => posix.join(root, source, each.slice(target.length)));
  });
}

/**
 * Shortcodes whose template lies in the repository and says by itself what it writes: `layouts/shortcodes/version.html` with a text, values of the settings and of the call, `if` and `with`
 * (https://gohugo.io/templates/shortcode/). Names that a rule or kbsync explains stay with them; a template that asks for more stays unknown.
 */
export const HUGO_TEMPLATES: IncludeForm = {
  name: 'layouts/shortcodes',
  isInCode: true,
  *find(text, page) {
    if (!/\{\{[<%]/.test(text)) return;
    yield* templatesIn(text, worldOf(page), 0);
  },
};

interface World {
  readonly page: IncludingPage;
  readonly templates: Map<string, Template | undefined>;
  /** What templates write of other pages → the page. */
  readonly pages: Map<string, string>;
  readonly budget: IncludingPage['budget'];
  readonly pageParam: (path: string) => string | undefined;
  /** Files that are there only; one that was read is not read again. */
  readonly file: (path: string) => string | undefined;
}

function worldOf(page: IncludingPage): World {
  const { budget } = page;
  const parameters = once(() => pageParameters(page.page));
  const files = new Map<string, string | undefined>();
  const file = (path: string): string | undefined => {
    if (!files.has(path)) {
      budget.steps -= STEPS_OF_READING;
      files.set(path, budget.steps < 0 ? undefined : page.page.readText(path));
    }
    return files.get(path);
  };
  return {
    page,
    templates: new Map(),
    pages: new Map(),
    budget,
    pageParam: (path) => parameters()(path),
    file,
  };
}

/** What all templates of a page together may do; a look at the disk is the dearest. */
export const TEMPLATE_BUDGET = { steps: 100_000, chars: 200_000 } as const;
const STEPS_OF_READING = 20;

interface Template {
  readonly nodes: readonly Node[];
  readonly hasInner: boolean;
}

const DEPTH_MAX = 3;

function* templatesIn(text: string, world: World, depth: number): Generator<Inclusion> {
  const calls = [...shortcodeCalls(text)];
  const closers = closersOf(calls);
  const ordinals = ordinalsOf(calls, closers);
  let behind = 0;
  for (const call of calls) {
    if (world.budget.steps < 0 || world.budget.chars < 0) return;
    if (call.form === 'close' || call.start < behind || isKnownName(call.name)) continue;
    if (isLockedName(call.name)) continue;
    if (Object.hasOwn(world.page.rules, call.name)) continue;
    const template = templateOf(call.name, world);
    const closer = template?.hasInner === true ? closers.get(call) : undefined;
    if (template === undefined || (template.hasInner && closer === undefined)) continue;
    const inner = closer === undefined ? undefined : text.slice(call.end, closer.start);
    const put = evaluatedTemplate(
      template.nodes,
      inputOf(call, { inner, depth, ordinal: ordinals.get(call) ?? 0 }, world),
    );
    if (put === undefined) continue;
    const end = closer?.end ?? call.end;
    behind = end;
    // A template that writes another page and nothing else takes it in as it stands, with what it takes in itself.
    const file = world.pages.get(put.trim());
    if (file !== undefined) {
      yield { start: call.start, end, files: [file], part: bodyOf, isRebased: true };
      continue;
    }
    const isFixed =
      !put.includes(OPEN) &&
      inner === undefined &&
      call.args.positional.length + Object.keys(call.args.named).length === 0;
    const shown = isFixed ? withoutControls(put) : put;
    const whole = call.mark === '%' ? asMarkdown(shown) : tidy(shown);
    // HTML of blocks would take the lines beside it in.
    const lineStart = text.lastIndexOf('\n', call.start - 1) + 1;
    const isApart = whole.includes('\n') && text.slice(lineStart, call.start).trim() === '';
    yield { start: call.start, end, text: isApart ? `\n${whole}\n` : whole };
  }
}

function bodyOf(text: string): { readonly text: string } {
  return { text: frontMatter(text, 'hugo').body };
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

/** `.Ordinal`: the place of a call among those of the page, or of the call around it, from 0 (https://gohugo.io/methods/shortcode/ordinal/). */
function ordinalsOf(
  calls: readonly ShortcodeCall[],
  closers: ReadonlyMap<ShortcodeCall, ShortcodeCall>,
): ReadonlyMap<ShortcodeCall, number> {
  const found = new Map<ShortcodeCall, number>();
  const around: { readonly end: number; next: number }[] = [{ end: Infinity, next: 0 }];
  for (const call of calls) {
    while ((around.at(-1)?.end ?? Infinity) <= call.start) around.pop();
    const parent = around.at(-1);
    if (call.form === 'close' || parent === undefined) continue;
    found.set(call, parent.next);
    parent.next += 1;
    const closer = closers.get(call);
    if (closer !== undefined) around.push({ end: closer.start, next: 0 });
  }
  return found;
}

function templateOf(name: string, { page, templates, file }: World): Template | undefined {
  if (templates.has(name)) return templates.get(name);
  const source = /^[\w/-]+$/.test(name) ? templateText(name, page.variable, file) : undefined;
  const nodes = source === undefined ? undefined : parsedTemplate(source);
  const template = nodes === undefined ? undefined : { nodes, hasInner: /\.Inner\b/.test(source ?? '') };
  templates.set(name, template);
  return template;
}

/** `partial "a/b.html"`, from `layouts/_partials`, before Hugo 0.146 `layouts/partials`. */
function partialOf(name: string, { page, templates, file }: World): readonly Node[] | undefined {
  const key = `partial ${name}`;
  if (templates.has(key)) return templates.get(key)?.nodes;
  const isPath = /^[\w./-]+$/.test(name) && !name.includes('..');
  const files = /\.\w+$/.test(name) ? [name] : [`${name}.html`, name];
  const source = isPath
    ? textOf(
        ['_partials', 'partials'].flatMap((folder) => files.map((each) => `${folder}/${each}`)),
        page.variable,
        file,
      )
    : undefined;
  const nodes = source === undefined ? undefined : parsedTemplate(source);
  templates.set(key, nodes === undefined ? undefined : { nodes, hasInner: false });
  return nodes;
}

/** What templates ask of another page: `.RenderShortcodes` is its text as it stands (https://gohugo.io/methods/page/rendershortcodes/). */
function pageAt(written: string, world: World, depth: number): Result {
  const path = written.replace(/\.md$/i, '').replace(/\/$/, '');
  const folders = written.startsWith('/') ? ['.'] : [posix.dirname(world.page.file), '.'];
  const files = folders.flatMap((folder) =>
    ['.md', '/index.md', '/_index.md'].map((end) => posix.join(folder, `./${path}${end}`)),
  );
  const file = files.find((each) => !each.startsWith('../') && world.file(each) !== undefined);
  if (file === undefined) return unknown();
  const { body, values } = frontMatter(world.file(file) ?? '', 'hugo');
  // Hugo finds no page that it does not publish now; what dates say is not asked here.
  if ([...values.keys()].some((key) => UNPUBLISHED.test(key))) return unknown();
  const markup = blockOf(innerText(body.trim(), world, depth));
  world.pages.set(markup, file);
  const title = values.get('title');
  return {
    page: {
      RenderShortcodes: { markup },
      Content: { markup },
      RawContent: { markup },
      ...(typeof title === 'string' ? { Title: title } : {}),
    },
  };
}

/** Keys of pages that may be none now, or that only some readers see. */
const UNPUBLISHED =
  /^(?:draft|date|publishdate|pubdate|published|expirydate|unpublishdate|password|encrypt(?:ed)?)$/i;

/** Own layouts win over those of themes. */
function templateText(
  name: string,
  variable: IncludingPage['variable'],
  file: World['file'],
): string | undefined {
  const places = ['_shortcodes', 'shortcodes'].flatMap((folder) =>
    ['html', 'md'].map((form) => `${folder}/${name}.${form}`),
  );
  return textOf(places, variable, file);
}

function textOf(
  places: readonly string[],
  variable: IncludingPage['variable'],
  file: World['file'],
): string | undefined {
  const root = variable('hugo.root') ?? '../';
  const themes = variable('hugo.themes')?.split('\n') ?? [];
  for (const folder of ['', ...themes.map((theme) => `themes/${theme}/`)]) {
    for (const place of places) {
      const text = file(posix.join(root, `${folder}layouts/${place}`));
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function inputOf(
  { args, mark }: ShortcodeCall,
  {
    inner,
    depth,
    ordinal,
  }: { readonly inner: string | undefined; readonly depth: number; readonly ordinal: number },
  world: World,
): TemplateInput {
  const { variable } = world.page;
  return {
    ordinal,
    partial: (name) => partialOf(name, world),
    pageAt: (path) => pageAt(path, world, depth),
    argument: (name) =>
      typeof name === 'number'
        ? args.positional[name]
        : Object.hasOwn(args.named, name)
          ? args.named[name]
          : undefined,
    hasNamed: Object.keys(args.named).length > 0,
    inner: inner === undefined ? undefined : innerText(inner, world, depth),
    siteParam: (path) => variable(`params.${path}`),
    pageParam: world.pageParam,
    data: (path) => {
      const json = variable(`hugo.data ${path}`);
      world.budget.steps -= Math.floor((json ?? '').length / 100);
      return json === undefined ? undefined : JSON.parse(json);
    },
    pageFile: world.page.file,
    file: (path) => world.file(posix.join(variable('hugo.root') ?? '../', path)),
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
const GONE = '\uE000';

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

function seen(text: string, mark = ''): string {
  let left = text;
  for (const [open, close] of UNSEEN) {
    let kept = '';
    let from = 0;
    for (let start = left.indexOf(open); start >= 0; start = left.indexOf(open, from)) {
      const end = left.indexOf(close, start + open.length);
      if (end < 0) break;
      kept += left.slice(from, start) + mark;
      from = end + close.length;
    }
    left = kept + left.slice(from);
  }
  return left;
}

/** `{{% … %}}` is Markdown of the page: its lines and blank lines stay, but for those of which nothing is left to see. */
function asMarkdown(put: string): string {
  return put
    .split(OPEN)
    .flatMap((piece, at) => {
      const [inside = '', behind = ''] = at === 0 ? ['', piece] : piece.split(CLOSE);
      return [inside, withoutData(seen(behind, GONE))];
    })
    .join(OPEN)
    .replaceAll(OPEN, '\n\n')
    .replaceAll(/^[ \t]*\uE000[ \t\uE000]*\n/gm, '')
    .replaceAll(GONE, '')
    .replaceAll(/\n(?:[ \t]*\n){2,}/g, '\n\n')
    .trim();
}

/** Without `data-…` and the tags of elements that a script defines: a template's scripts are left out. */
function withoutData(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][a-z0-9]*-[^<>]*>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replaceAll(ATTRIBUTE, (whole, name: string) => (/^data-/i.test(name) ? '' : whole)),
    );
}

const ATTRIBUTE = /\s([a-z][\w:-]*)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/gi;

const CONTROLS = new Set(['form', 'dialog', 'button', 'select', 'textarea', 'input', 'label']);
const SHOWN = /[^\s<>](?![^<>]*>)|<(?:img|picture|video|audio|iframe|hr)\b/;

/** Without controls and hidden dialogs, which only the site's own scripts make useful. Only for a text that is the template's alone: a button may be named by the author. */
function withoutControls(html: string): string {
  const cuts: Range[] = [];
  let depth = 0;
  let cut: { readonly start: number; readonly depth: number } | undefined;
  const { Parser } = htmlparser2();
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1;
      const isHidden = attributes['aria-hidden'] === 'true' || attributes['hidden'] !== undefined;
      if (cut === undefined && (isHidden || CONTROLS.has(name))) cut = { start: parser.startIndex, depth };
    },
    onclosetag: () => {
      if (cut?.depth === depth) {
        cuts.push([cut.start, parser.endIndex + 1]);
        cut = undefined;
      }
      depth -= 1;
    },
  });
  parser.end(html);
  if (cuts.length === 0) return html;
  let left = '';
  let from = 0;
  for (const [start, end] of cuts) {
    left += html.slice(from, start);
    from = end;
  }
  left += html.slice(from);
  return SHOWN.test(left) ? left : '';
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
        withoutData(seen(behind))
          .trim()
          .replaceAll(/\s*\n\s*/g, hasBlocks ? '\n' : ' '),
      ];
    })
    .filter((piece) => piece !== '')
    .join('\n\n');
}
