import { withoutComments, withoutSpans } from '../../text/spans.ts';

/** A way of writing that some generator would have replaced, and that a reader would see as it was typed. */
export interface RawSyntax {
  /** As people name it: `{% … %}`. */
  readonly kind: string;
  /** The first one. */
  readonly shown: string;
  readonly count: number;
  /** Layouts that know it, the most likely first. */
  readonly layouts: readonly string[];
}

interface Kind {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly layouts: (shown: string) => readonly string[];
  /** Many programs write it, also plugins of the page's own generator: only where the layout is none, another one is a guess. */
  readonly isCommon?: true;
}

/**
 * A list of attributes as kramdown, python-markdown, markdown-it-attrs and Wiki.js have it: `.class`, `#id` and `name=value` with blanks between. What only
 * looks like one is text: `{.h, .cc}`, `{.spec.name}`, `{:ok, value}`.
 */
const ATTRIBUTE = String.raw`(?:[.#][A-Za-z][\w:-]*|[A-Za-z][\w:-]*=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+))`;
/** In a line of their own they may begin with a word: `{width=800}`. */
const ATTRIBUTES = new RegExp(
  String.raw`(?<=^|\n)[ \t]*\{[ \t]*${ATTRIBUTE}(?:[ \t]+${ATTRIBUTE})*[ \t]*\}[ \t]*(?=\n|$)|(?<!\{)\{:? ?[.#][A-Za-z][\w:-]*(?:[ \t]+${ATTRIBUTE})*[ \t]*\}|\{:[ \t]*(?:${ATTRIBUTE}|toc)(?:[ \t]+${ATTRIBUTE})*[ \t]*\}`,
  'g',
);
const MODULE = /(?<=^|\n)[ \t]*:::[ \t]+\w+(?:\.\w+)+[ \t]*(?=\n|$)/g;

const KINDS: readonly Kind[] = [
  {
    kind: '{% … %}',
    pattern: /(?<!\{)\{%-?\s*\w[^%\n]*%\}(?!\})/g,
    layouts: (shown) =>
      /\{%\s*(?:end)?(?:hint|tabs?|content-ref|code|embed|stepper|step|file|swagger|columns?)\b/.test(shown)
        ? ['gitbook']
        : ['jekyll', 'hexo'],
  },
  { kind: '{{< … >}}', pattern: /\{\{[<%][^\n]{0,2000}?[>%]\}\}/g, layouts: () => ['hugo', 'quarto'] },
  {
    kind: '{{#include … }}',
    pattern: /\{\{#(?:\w*include|playground|title)\b[^\n]*?\}\}/g,
    layouts: () => ['mdbook'],
  },
  {
    // What preprocessors of mdBook and other programs of a site replace.
    kind: '{{#name … }}',
    pattern: /\{\{#\/?(?!\w*include\b|playground\b|title\b)[a-z][\w-]*(?:[ \t][^{}\n]*)?\}\}/gi,
    layouts: (shown) => (/^\{\{#\/?tabs?\b/.test(shown) ? ['mdbook'] : []),
  },
  {
    kind: '{{ … }}',
    // `{{ .Values.x }}` and `{{ $x }}` are Go's templates, which a page about them shows.
    pattern: /\{\{(?![<%#]|-?\s*[.$])[^{}\n]*\}\}/g,
    // GitBook shows it as it is.
    layouts: () => ['jekyll', 'vitepress', 'vuepress', 'mintlify', 'gitbook', 'hexo'],
    isCommon: true,
  },
  // mkdocstrings writes a page of reference in its place; that needs the code to be run.
  { kind: '::: module', pattern: MODULE, layouts: () => [] },
  {
    kind: '::: name',
    pattern: /(?<=^|\n)[ \t]*:{3,}[ \t]*(?![\w]+(?:\.[\w]+)+[ \t]*(?:\n|$))\{?[A-Za-z.][^\n]*/g,
    layouts: (shown) =>
      /^[ \t]*:+[ \t]*\{[A-Za-z]/.test(shown)
        ? ['myst']
        : ['vitepress', 'docusaurus', 'starlight', 'vuepress', 'nextra', 'fumadocs', 'docfx'],
  },
  {
    kind: '!!! name',
    // What Python-Markdown and its extension for details replace: words, a title in quotes, and nothing behind it.
    pattern:
      /(?<=^|\n)[ \t]*(?:!!!|\?\?\?\+?) ?(?:[\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*(?: +"[^\n]*")?|"[^\n]*")[ \t]*(?=\n|$)/gu,
    layouts: () => ['mkdocs'],
  },
  { kind: '=== "name"', pattern: /(?<=^|\n)[ \t]*===[!+]? "[^"\n]*"/g, layouts: () => ['mkdocs'] },
  { kind: '/// name', pattern: /(?<=^|\n)[ \t]*\/{3}[ \t]+[a-z][\w-]*[^\n]*/g, layouts: () => ['mkdocs'] },
  {
    kind: '{.class}',
    pattern: ATTRIBUTES,
    layouts: (shown) => (shown.startsWith('{:') ? ['jekyll'] : /\{\.is-/.test(shown) ? ['wiki'] : ['mkdocs']),
  },
  { kind: '[[link]]', pattern: /(?<!\[)\[\[(?![\s\-!\d[])[^[\]\n]+(?<!\s)\]\]/g, layouts: () => ['wiki'] },
  { kind: '?> text', pattern: /(?<=^|\n)[?!]> [^\n]*/g, layouts: () => ['docsify'] },
  { kind: '[!INCLUDE]', pattern: /\[!(?:INCLUDE|code|VIDEO|div)[^\n]*?\]/gi, layouts: () => ['docfx'] },
  { kind: '{* file *}', pattern: /\{\*[ \t]+[\w./-]+\.\w+[^\n{}]*?\*\}/g, layouts: () => ['mkdocs'] },
  { kind: '--8<--', pattern: /-{1,3}8<-{1,3}[^\n]*/g, layouts: () => ['mkdocs'] },
  { kind: '<<< file', pattern: /(?<=^|\n)<<<[ \t]*[\w@.~/][^\n]*/g, layouts: () => ['vitepress'] },
  { kind: '[block:name]', pattern: /\[block:[\w-]+\]/g, layouts: () => ['readme'] },
  {
    kind: ':icon:',
    pattern: /:(?:octicons|material|fontawesome|simple)-[\w-]+:/g,
    layouts: () => ['mkdocs'],
  },
  {
    kind: 'import … from',
    pattern: /(?<=^|\n)import[ \t][^\n]*?[ \t]from[ \t]*['"][^'"\n]+['"]/g,
    layouts: () => ['docusaurus', 'starlight', 'nextra', 'fumadocs', 'mintlify', 'fern', 'readme'],
  },
];

/**
 * Most pages hold none of it, and none of them is looked at closely. One pattern of fixed texts costs half of a search for each; the last
 * ones are as HTML writes them.
 */
const MARKS: readonly string[] = [
  '{%',
  '{{',
  '{.',
  '{#',
  '{:',
  '\n{',
  '{*',
  ':::',
  '!!!',
  '??? ',
  '???+',
  '=== "',
  '===! "',
  '===+ "',
  '/// ',
  '///\t',
  '?> ',
  '!> ',
  '<<<',
  '[[',
  '[!',
  '8<-',
  '[block:',
  ':octicons-',
  ':material-',
  ':fontawesome-',
  ':simple-',
  '&lt;&lt;&lt;',
  '?&gt; ',
  '!&gt; ',
  '=== &quot;',
  '===! &quot;',
  '===+ &quot;',
];

/** Whether a text, as Markdown or as HTML, may hold any; cheap. */
export function mayHoldRawSyntax(text: string): boolean {
  return ANY_MARK.test(text) || mayImport(text);
}

/** `import` at the beginning of a line, as Markdown or as HTML. */
function mayImport(text: string): boolean {
  for (let at = text.indexOf(IMPORT); at >= 0; at = text.indexOf(IMPORT, at + IMPORT.length)) {
    const next = text.charCodeAt(at + IMPORT.length);
    if (next !== SPACE && next !== TAB) continue;
    let before = at - 1;
    while (before >= 0 && (text.charCodeAt(before) === SPACE || text.charCodeAt(before) === TAB)) before -= 1;
    if (before < 0 || text[before] === '\n' || text[before] === '>') return true;
  }
  return false;
}

const IMPORT = 'import';
const SPACE = 32;
const TAB = 9;

const ANY_MARK = new RegExp(
  MARKS.map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|'),
);

/** HTML without its blocks of code. */
function withoutBlocks(html: string): string {
  let text = '';
  let from = 0;
  for (let start = html.indexOf('<pre'); start >= 0; start = html.indexOf('<pre', from)) {
    const end = html.indexOf('</pre>', start);
    if (end < 0) break;
    text += html.slice(from, start);
    from = end;
  }
  return text + html.slice(from);
}

/**
 * What a rendered page shows outside code. `said`: pieces that another problem names already; `layout`: what it knows and left is meant (it was
 * escaped).
 */
export function rawSyntaxIn(html: string, said: ReadonlySet<string>, layout: string): readonly RawSyntax[] {
  if (!mayHoldRawSyntax(withoutBlocks(html))) return [];
  const text = proseOf(html);
  return KINDS.flatMap(({ kind, pattern, layouts, isCommon }) => {
    const found = (text.match(pattern) ?? [])
      .map((piece) => piece.trim())
      .filter((piece) => !said.has(piece));
    const [shown] = found;
    if (shown === undefined || layouts(shown).includes(layout)) return [];
    const named = isCommon === true && !OWN_LAYOUTS.has(layout) ? [] : layouts(shown).slice(0, 3);
    return [{ kind, shown: shown.slice(0, SHOWN_MAX), count: found.length, layouts: named }];
  });
}

const SHOWN_MAX = 80;
/** Those of no generator. */
const OWN_LAYOUTS: ReadonlySet<string> = new Set(['kbsync', 'plain']);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

/** The text of a page without its code; blocks in lines of their own. */
export function proseOf(html: string): string {
  const bare = withoutComments(html).replaceAll(/<span class="math (?:inline|display)">[^<]*<\/span>/g, '·');
  const elements = { closingOf: ({ 1: name = '' }: RegExpExecArray) => `</${name}>`, instead: '·' };
  return withoutSpans(bare, /<(pre|code|kbd|samp|script|style)\b[^<>]*>/g, elements)
    .replaceAll(
      /<\/?(?:p|div|h[1-6]|li|ul|ol|table|tr|td|th|blockquote|details|summary|hr|br|section|figure)\b[^<>]*>/g,
      '\n',
    )
    .replaceAll(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');
}
