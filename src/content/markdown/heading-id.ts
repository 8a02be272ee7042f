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
  /** Hexo: capital letters stay, signs are `-`. */
  | 'hexo'
  /** Python-Markdown's `toc`: letters of ASCII alone, `_1` where an id repeats. */
  | 'python'
  /** The same with `pymdownx.slugs`: letters of any script. */
  | 'python-unicode'
  /** kramdown with GFM, Jekyll's own: dashes and dots that it sets as one sign (`--`, `...`) are no part of an id. */
  | 'kramdown-gfm'
  /** kramdown without GFM. */
  | 'kramdown'
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
  vue: vueSlug,
  // It looks at the HTML of the heading.
  hexo: (text) =>
    signsAsDashes(
      text.replaceAll(/[&<>"']/g, (sign) => HEXO_ENTITIES[sign] ?? ''),
      HEXO_SPECIAL,
    ),
  nuxt: (text) => headingSlug(text).replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '').replace(/^(\d)/, '_$1'),
  python: (text) => pythonSlug(text.normalize('NFKD').replaceAll(/[^ -~\t\n]/g, '')),
  'python-unicode': (text) => pythonSlug(text.normalize('NFC')),
  kramdown: (text) =>
    text
      .replace(/^[^a-zA-Z]+/, '')
      .replaceAll(/[^a-zA-Z0-9 -]/g, '')
      .replaceAll(' ', '-')
      .toLowerCase() || 'section',
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

/** Code is never set otherwise. */
function without(signs: RegExp, text: string, code: readonly string[]): string {
  let left = '';
  let from = 0;
  for (const piece of code) {
    const at = text.indexOf(piece, from);
    if (at < 0) continue;
    left += text.slice(from, at).replaceAll(signs, '') + piece;
    from = at + piece.length;
  }
  return left + text.slice(from).replaceAll(signs, '');
}

// The characters that `@mdit-vue/shared` takes out, as its documentation lists them.
const VUE_SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

const HEXO_ENTITIES: Readonly<Record<string, string>> = {
  '&': '-amp-',
  '<': '-lt-',
  '>': '-gt-',
  '"': '-quot-',
  "'": '-39-',
};
/** `slugize` of hexo-util. */
const HEXO_SPECIAL = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'<>,.?/]+/g;

function vueSlug(text: string): string {
  return signsAsDashes(text, VUE_SPECIAL).replace(/^(\d)/, '_$1').toLowerCase();
}

/** Without accents, and with one dash for signs in a row. */
function signsAsDashes(text: string, signs: RegExp): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
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
