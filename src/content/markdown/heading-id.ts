import { withoutEmojiCodes } from './emoji-codes.ts';

/** How ids of headings are made; links between pages are written for one of them. */
export type HeadingIdStyle =
  /** GitHub, Docusaurus, Hugo, mdBook. */
  | 'github'
  /** Astro: `--` is set as one sign, which is no part of an id. */
  | 'astro'
  /** VitePress and VuePress: `@mdit-vue/shared`. */
  | 'vue'
  /** Nuxt Content: as GitHub, but one `-` for several, none at the ends, and `_` in front of a digit. */
  | 'nuxt'
  /** Hexo: capital letters stay, signs are `-`; quotes, dashes and dots as its renderer sets them stay too. */
  | 'hexo'
  /** Hexo without `smartypants`. */
  | 'hexo-plain'
  /** Python-Markdown's `toc`: letters of ASCII alone, `_1` where an id repeats. */
  | 'python'
  /** The same with `pymdownx.slugs`: letters of any script. */
  | 'python-unicode'
  /** kramdown with GFM, Jekyll's own: dashes and dots that it sets as one sign (`--`, `...`) are no part of an id. */
  | 'kramdown-gfm'
  /** kramdown without GFM. */
  | 'kramdown'
  /** Pandoc's `auto_identifiers`: dots stay, and nothing stands before the first letter. */
  | 'pandoc'
  /** mystmd: letters of ASCII alone, `id-` in front of what is no letter. */
  | 'mystmd';

/** The class of a badge in a heading: it is shown, and no part of the heading's id. */
export const HEADING_BADGE = 'heading-badge';

/** `code`: what of the text is code, in order. */
export type HeadingIds = (text: string, explicit?: string, code?: readonly string[]) => string;

/** Ids of one document's headings, numbered where they repeat. `taken`: ids of headings that are shown elsewhere (the title). */
export function headingIds(style: HeadingIdStyle = 'github', taken: readonly string[] = []): HeadingIds {
  const slug = SLUGS[style];
  const unique = style.startsWith('python') ? pythonNumbers() : numbers();
  for (const id of taken) unique(id);
  return (text, explicit, code = []) => unique(explicit ?? slug(text, code));
}

/** `a`, `a-1`, `a-2` */
function numbers(): (wanted: string) => string {
  const used = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let count = used.get(wanted) ?? 0;
    while (used.has(id)) {
      count += 1;
      id = `${wanted}-${count}`;
    }
    used.set(wanted, count);
    used.set(id, used.get(id) ?? 0);
    return id;
  };
}

/** `a`, `a_1`, `a_2`; a heading without letters is `_1`. */
function pythonNumbers(): (wanted: string) => string {
  const used = new Set<string>();
  /** The last id that a wanted one led to; the ones before it are taken for good. */
  const reached = new Map<string, string>();
  return (wanted) => {
    let id = reached.get(wanted) ?? wanted;
    while (id === '' || used.has(id)) {
      const [, stem = id, number = '0'] = /^(.*)_(\d+)$/.exec(id) ?? [];
      id = `${stem}_${Number(number) + 1}`;
    }
    used.add(id);
    reached.set(wanted, id);
    return id;
  };
}

/** As GitHub: lower case; letters, digits, marks, `_` and `-` stay, blanks become `-`, the rest goes. */
export function headingSlug(text: string): string {
  if (/^[\w -]*$/.test(text)) return text.trim().toLowerCase().replaceAll(' ', '-');
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

const SLUGS: Readonly<Record<HeadingIdStyle, (text: string, code: readonly string[]) => string>> = {
  github: headingSlug,
  astro: (text, code) => headingSlug(without(/(?<!-)--(?!-)/g, text, code)),
  'kramdown-gfm': (text, code) => headingSlug(without(/-{2,3}|\.{3}/g, text, code)),
  // Their ids leave the signs out.
  vue: (text) => vueSlug(withoutEmojiCodes(text)),
  hexo: (text, code) => hexoSlug(shownText(besideCode(text, code, smart))),
  'hexo-plain': (text) => hexoSlug(shownText(text)),
  nuxt: (text) => headingSlug(text).replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '').replace(/^(\d)/, '_$1'),
  python: (text) => pythonSlug(text.normalize('NFKD').replaceAll(/[^ -~\t\n]/g, '')),
  'python-unicode': (text) => pythonSlug(text.normalize('NFC')),
  kramdown: (text) =>
    text
      .replace(/^[^a-zA-Z]+/, '')
      .replaceAll(/[^a-zA-Z0-9 -]/g, '')
      .replaceAll(' ', '-')
      .toLowerCase() || 'section',
  pandoc: (text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}_\-.\s]/gu, '')
      .trim()
      .replaceAll(/\s+/g, '-')
      .replace(/^[^\p{L}]+/u, '') || 'section',
  mystmd: (text) =>
    text
      .replaceAll(/['‘’"“”]/g, '')
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '-')
      .replace(/^([0-9-])/, 'id-$1')
      .replaceAll(/-{2,}/g, '-')
      .replaceAll(/^-|-$/g, ''),
};

function without(signs: RegExp, text: string, code: readonly string[]): string {
  return besideCode(text, code, (piece) => piece.replaceAll(signs, ''));
}

/** Code is never set otherwise. */
function besideCode(text: string, code: readonly string[], set: (text: string) => string): string {
  let whole = '';
  let from = 0;
  for (const piece of code) {
    const at = text.indexOf(piece, from);
    if (at < 0) continue;
    whole += set(text.slice(from, at)) + piece;
    from = at + piece.length;
  }
  return whole + set(text.slice(from));
}

// The characters that `@mdit-vue/shared` takes out, as its documentation lists them.
const VUE_SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/** `slugize` of hexo-util. */
const HEXO_SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g;

/** `slugize` of hexo-util. It takes marks from Latin letters alone. */
export function hexoSlug(text: string): string {
  return dashed(
    text.replaceAll(/[^\0-~]/gu, (char) => LATIN[char] ?? unmarked(char)),
    HEXO_SPECIAL,
  );
}

function unmarked(char: string): string {
  const plain = char.normalize('NFKD').replaceAll(/[\u0300-\u036F]/g, '');
  return /^[A-Za-z]+$/.test(plain) && !NO_LETTER.test(char) ? plain : char;
}

/** Signs that have letters in them, and are none to hexo-util: `™`, `②`, `㎏`. */
const NO_LETTER = /[^\p{Script=Latin}]|[\u00AA\u00BA\u0132\u0133\u2100-\u218F]|\p{Lm}/u;

/** Latin letters that Unicode takes apart into nothing plainer. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'ÆAE æae ØO øo ßs ĐD đd ĦH ħh ıi ĿL ŀl ŁL łl ŉn ŒOE œoe ŦT ŧt ẞS ƁB ɓb ƊD ɗd ƐE ɛe ƆO ɔo ƘK ƙk ƳY ƴy'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** Markup and what looks like it is no part of an id, in code neither. */
function shownText(text: string): string {
  return text.replaceAll(/<[^\s<>][^<>]*>/g, '');
}

/** Quotes, dashes and dots as `smartypants` of hexo-renderer-marked sets them. */
function smart(text: string): string {
  return text
    .replaceAll('---', '\u2014')
    .replaceAll('--', '\u2013')
    .replaceAll(/(^|[-\u2014/([{"\s])'/g, '$1\u2018')
    .replaceAll("'", '\u2019')
    .replaceAll(/(^|[-\u2014/([{\u2018\s])"/g, '$1\u201C')
    .replaceAll('"', '\u201D')
    .replaceAll('...', '\u2026');
}

function vueSlug(text: string): string {
  return signsAsDashes(text, VUE_SPECIAL).replace(/^(\d)/, '_$1').toLowerCase();
}

/** Without accents, and with one dash for signs in a row. */
function signsAsDashes(text: string, signs: RegExp): string {
  return dashed(text.normalize('NFKD').replaceAll(/[\u0300-\u036F]/g, ''), signs);
}

function dashed(text: string, signs: RegExp): string {
  return text
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(signs, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}

/** Blanks and hyphens in a row are one hyphen. */
function pythonSlug(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{M}\p{N}_\s-]/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]+/g, '-');
}
