import type { PresetName } from '../../content/presets/names.ts';
import { proseOf } from './prose.ts';
import type { RepositoryTree } from './tree.ts';

/** What pages hold that one generator alone would have replaced. */
export interface WrittenFor {
  readonly preset: PresetName;
  /** The first one, as it is written. */
  readonly shown: string;
  /** The page that holds it. */
  readonly because: string;
  /** How many of the pages that were looked at hold such marks. */
  readonly pages: number;
  /** Of these, with a mark that nobody else could write. */
  readonly proofs: number;
  readonly lookedAt: number;
}

interface Mark {
  readonly preset: PresetName;
  readonly pattern: RegExp;
  /** Nobody else could write it: two pages are enough, whatever others hold. */
  readonly isProof?: true;
}

/**
 * Each is of one generator alone, as its documentation shows it. What several have (`:::note`, `<Card>`, `{{< x >}}`) says nothing. `rawSyntaxIn` looks for more, and in
 * rendered pages: there a find is only named, here it decides how all pages are read.
 */
const MARKS: readonly Mark[] = [
  // https://docusaurus.io/docs/advanced/client#theme-aliases
  { preset: 'docusaurus', pattern: /^import\s[^\n]*?\sfrom\s+['"]@theme\/\w[^\n]*/m, isProof: true },
  // https://gohugo.io/methods/shortcode/ref/
  { preset: 'hugo', pattern: /\{\{[<%]-?[ \t]*(?:rel)?ref[ \t]*"[^"\n]+"[ \t]*[>%]\}\}/, isProof: true },
  // https://gohugo.io/content-management/shortcodes/#notation
  { preset: 'hugo', pattern: /\{\{%[ \t]*\/?[a-z][\w/-]*(?:[ \t][^\n{}]*)?%\}\}/i },
  // https://python-markdown.github.io/extensions/admonition/ and pymdownx.details: the text is set in below
  {
    preset: 'mkdocs',
    pattern: /^[ \t]*(?:!!!|\?\?\?\+?) ?[A-Za-z"][^\n]*(?=\n(?:[ \t]*\n)?(?: {4}|[ ]{0,3}\t)[ \t]*\S)/m,
  },
  // https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/
  {
    preset: 'mkdocs',
    pattern: /^[ \t]*===[!+]? "[^"\n]+"(?=[ \t]*\n(?:[ \t]*\n)?(?: {4}|[ ]{0,3}\t)[ \t]*\S)/m,
  },
  // https://facelessuser.github.io/pymdown-extensions/extensions/snippets/
  { preset: 'mkdocs', pattern: /^[ \t]*-{1,2}8<-{1,2} "[^"\n]+"/m },
  // https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/ and buttons/
  {
    preset: 'mkdocs',
    pattern: /:(?:octicons|material|fontawesome|simple)-[a-z][\w-]*:|\{:?[ \t]*\.md-button\b[^\n{}]*\}/,
  },
  // https://gitbook.com/docs/creating-content/blocks
  { preset: 'gitbook', pattern: /\{%[ \t]*(?:hint style|content-ref url|tab title)=[^\n%]*%\}/ },
  // https://jekyllrb.com/docs/liquid/tags/ and includes/
  { preset: 'jekyll', pattern: /\{%-?[ \t]*(?:post_url|include_relative)[ \t][^\n%]*%\}/ },
  // https://hexo.io/docs/tag-plugins
  {
    preset: 'hexo',
    pattern: /\{%[ \t]*(?:asset_img|asset_link|asset_path|post_link|post_path)[ \t][^\n%]*%\}/,
  },
  // https://rust-lang.github.io/mdBook/format/mdbook.html
  { preset: 'mdbook', pattern: /\{\{#(?:include|rustdoc_include|playground)[ \t][^\n{}]+\}\}/ },
  // https://docsify.js.org/#/helpers
  { preset: 'docsify', pattern: /^[?!]> \S[^\n]*/m },
  // https://dotnet.github.io/docfx/docs/markdown.html
  {
    preset: 'docfx',
    pattern:
      /\[!(?:INCLUDE[ \t]*|code-[\w#+]+)\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)|\[!div class=[^\]\n]{0,300}\]/i,
  },
  // https://docs.readme.com/rdmd/docs/legacy-magic-blocks
  { preset: 'readme', pattern: /^\[block:[a-z-]+\][ \t]*$/m },
];

/** Fewer pages may be about that generator. */
const PAGES_MIN = 3;
const PROOFS_MIN = 2;
/** Of the pages that were looked at. */
const SHARE_MIN = 0.1;
/** Marks of a second generator in more pages than this share of the first one's leave it open. */
const SECOND_MAX = 0.25;

/** The generators whose marks these pages hold, most pages first. The pages are loaded. */
export function writtenFor(tree: RepositoryTree, looked: readonly string[]): readonly WrittenFor[] {
  const found = new Map<PresetName, WrittenFor>();
  for (const path of looked) {
    for (const [preset, { shown, isProof }] of marksIn(proseOf(tree, path))) {
      const before = found.get(preset);
      found.set(preset, {
        ...(before ?? { preset, shown, because: path }),
        pages: (before?.pages ?? 0) + 1,
        proofs: (before?.proofs ?? 0) + Number(isProof),
        lookedAt: looked.length,
      });
    }
  }
  return [...found.values()].sort((a, b) => b.pages - a.pages);
}

function marksIn(
  prose: string,
): ReadonlyMap<PresetName, { readonly shown: string; readonly isProof: boolean }> {
  const marks = new Map<PresetName, { readonly shown: string; readonly isProof: boolean }>();
  for (const { preset, pattern, isProof = false } of MARKS) {
    const shown = marks.has(preset) ? undefined : pattern.exec(prose)?.[0];
    if (shown !== undefined) marks.set(preset, { shown: shown.trim().slice(0, SHOWN_MAX), isProof });
  }
  return marks;
}

const SHOWN_MAX = 60;

/** The one generator that all this leaves; undefined: none, or two are likely. */
export function onlyWriter(written: readonly WrittenFor[]): WrittenFor | undefined {
  const proved = written.find(({ proofs }) => proofs >= PROOFS_MIN);
  if (proved !== undefined) return proved;
  const [first, second] = written;
  if (first === undefined || first.pages < PAGES_MIN || first.pages < first.lookedAt * SHARE_MIN)
    return undefined;
  return second !== undefined && second.pages > first.pages * SECOND_MAX ? undefined : first;
}
