import type { TocLink } from '../../settings/sphinx.ts';
import { link, markdownText } from '../parts/part-rule.ts';
import type { Inclusion, IncludingPage } from './form.ts';

/** Comments, breaks of blocks, targets, roles, links by label and links without a text; code spans are passed over. */
const PIECES =
  /^(%[^\n]*)(?:\n|$)|^(\+\+\+[^\n]*)$|^[ \t]*\(([^\s()]+)\)=[ \t]*$|^[ \t]*\{((?:[#.]|[\w-]+=)[^{}\n]*)\}[ \t]*$|\{\{[ \t]*(\w+)[ \t]*\}\}|\{([A-Za-z][\w:.+-]*)\}(`+)(?!`)((?:(?!\n[ \t]*\n)[^]){0,400}?[^`])\7(?!`)|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^]){0,400}?[^`]\9(?!`)|(!?)\[((?:[^[\]\n\\]|\n(?![ \t]*\n)|\\.){0,400})\]\(<?([^()\s<>]{1,400})>?\)|<(project:[^\s<>]+)>|(?<=[)\]`])\{[ \t]*((?:[.#]|[\w-]+=)[^{}\n]{0,200})\}/gm;

/** `from`: where the text begins in its page; `isValue`: it stands in the place of a name, so names in it stay. */
export function* mystInline(
  text: string,
  from: number,
  page: IncludingPage,
  isValue = false,
): Generator<Inclusion> {
  if (!/[{%+(\]<]/.test(text)) return;
  for (const found of text.matchAll(PIECES)) {
    const [
      whole,
      comment,
      divider,
      target,
      attributes,
      name,
      role,
      ,
      inside,
      ,
      image,
      label,
      address,
      project,
      inLine,
    ] = found;
    const start = from + found.index;
    const range = { start, end: start + whole.length };
    if (comment !== undefined) yield { ...range, text: '' };
    else if (divider !== undefined) {
      const block = /"label"\s*:\s*"([^"\s]+)"/.exec(divider)?.[1];
      yield { ...range, text: block === undefined ? '' : `<a id="${anchorOf(block)}"></a>\n` };
    } else if (target !== undefined) yield { ...range, text: `<a id="${anchorOf(target)}"></a>\n` };
    else if (attributes !== undefined) {
      const id = /#([^\s#.]+)/.exec(attributes)?.[1];
      yield { ...range, text: id === undefined ? '' : `<a id="${anchorOf(id)}"></a>\n` };
    } else if (name !== undefined) {
      const value = isValue ? undefined : page.page.value?.(page.file, 'substitution', [name]);
      if (typeof value === 'string') yield { ...range, text: mystText(value, page) };
    } else if (role !== undefined)
      yield { ...range, text: shownRole(role.toLowerCase(), inside ?? '', page) };
    else if (inLine !== undefined) {
      if (page.page.variable('inlineAttributes') === undefined) continue;
      // `\xrightarrow[k]{t=0}` is a formula, and `f(x){a=b}` a text.
      const isBehindElement = /(?:`|\]\([^()\n]{0,400}\))$/.test(
        text.slice(Math.max(0, found.index - 400), found.index),
      );
      if (!/^[.#]/.test(inLine) && !isBehindElement) continue;
      const id = /#([^\s#.]+)/.exec(inLine)?.[1];
      yield { ...range, text: id === undefined ? '' : `<a id="${anchorOf(id)}"></a>` };
    } else if (project !== undefined) yield { ...range, text: linked(page, '', project) ?? whole };
    else if (address !== undefined && (image === '' || address.startsWith('#'))) {
      // `![](#label)` of mystmd shows the part here too: a link leads to it.
      const put = linked(page, label ?? '', address);
      if (put !== undefined) yield { ...range, text: put };
    }
  }
}

/** What is written in place of a value of a substitution or of a part is MyST too. */
export function mystText(value: string, page: IncludingPage): string {
  let shown = '';
  let cursor = 0;
  for (const { start, end, text = '' } of mystInline(value, 0, page, true)) {
    shown += value.slice(cursor, start) + text;
    cursor = end;
  }
  return shown + value.slice(cursor);
}

/** A label as an id: small letters, without signs that ids have not. */
function anchorOf(label: string): string {
  return label.toLowerCase().replaceAll(/[^\w:.-]/g, '');
}

/** `text <target>`, or the target alone. */
function targeted(inside: string): { readonly text: string; readonly to: string } {
  const flat = inside.replaceAll(/\s+/g, ' ').trim();
  const [, text, to] = /^(.*\S) ?<([^<>]+)>$/.exec(flat) ?? [];
  return text === undefined || to === undefined ? { text: '', to: flat } : { text, to };
}

/**
 * A link by label or to a page, with the target's own title where it has no text; undefined: an ordinary link. Objects of code and of other sites
 * (`Spawner.start`, `inv:`) are pages that Sphinx makes or knows: their text stays.
 */
function linked(page: IncludingPage, text: string, written: string): string | undefined {
  const bare = written.replace(/^(?:project|path):/, '');
  const label = bare.replace(/^#/, '');
  const known = bare.includes('//') ? undefined : page.page.value?.(page.file, 'ref', [label]);
  if (typeof known === 'string') return linkTo(text, known, titleAt(page, label));
  const [path = ''] = bare.split('#');
  const isObject = bare.startsWith('inv:') || (OBJECT.test(label) && !FILE.test(label));
  if (isObject) return text === '' ? `\`${label.replace(/^inv:.*#/, '').replaceAll('`', '')}\`` : text;
  if (bare !== written) return linkTo(text, bare, titleOf(page, path) ?? bare);
  if (text === '' && /\.(?:md|ipynb|rst)$/i.test(path)) return linkTo('', bare, titleOf(page, path) ?? bare);
  return undefined;
}

const OBJECT = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const FILE =
  /\.(?:md|ipynb|rst|html?|txt|pdf|zip|png|jpe?g|gif|svg|webp|py|js|ts|json|ya?ml|toml|cfg|ini|sh|csv|c|h|cpp|rs|go|java|rb|tex|bib|xml|css)$/i;

function titleAt(page: IncludingPage, label: string): string {
  const title = page.page.value?.(page.file, 'title', [label]);
  return typeof title === 'string' && title !== '' ? title : label;
}

function titleOf(page: IncludingPage, path: string): string | undefined {
  const title = page.page.value?.(page.file, 'doctitle', [path]);
  return typeof title === 'string' && title !== '' ? title : undefined;
}

function linkTo(text: string, address: string, title: string): string {
  return text === '' ? link(title, address) : `[${text}](${address})`;
}

/** Sphinx shows a toctree where it stands: its caption and a list of links. */
export function tocList(
  entries: string,
  options: ReadonlyMap<string, string>,
  { page }: IncludingPage,
): string {
  const links = page.value?.(page.file, 'toctree', [`${options.has('glob') ? ':glob:\n' : ''}${entries}`]);
  if (!Array.isArray(links) || links.length === 0) return '';
  // The settings of Sphinx answer `toctree` with nothing else.
  const items = (links as readonly TocLink[]).map(({ title, address }) => `- ${link(title, address)}`);
  const caption = options.get('caption') ?? '';
  return [...(caption === '' ? [] : [`**${markdownText(caption)}**`, '']), ...items].join('\n');
}

/** Roles of Sphinx and MyST; the text of an unknown one is shown as code, which most of them are. */
function shownRole(role: string, inside: string, page: IncludingPage): string {
  const { text, to } = targeted(inside);
  switch (role) {
    case 'ref':
    case 'numref':
    case 'std:ref': {
      const known = page.page.value?.(page.file, 'ref', [to]);
      const title = text === '' ? titleAt(page, to) : text.replaceAll(/%s|\{(?:number|name)\}/g, '').trim();
      return typeof known === 'string' ? link(title, known) : markdownText(title);
    }
    case 'doc': {
      const known = page.page.value?.(page.file, 'doc', [to]);
      const address = typeof known === 'string' ? known : to;
      return link(text === '' ? (titleOf(page, address) ?? to) : text, address);
    }
    case 'download':
      return link(text === '' ? to.slice(to.lastIndexOf('/') + 1) : text, to);
    case 'term':
    case 'abbr':
    case 'dfn':
    case 'span':
    case 'fa':
    case 'octicon':
      return role === 'octicon' || role === 'fa'
        ? ''
        : markdownText(role === 'abbr' ? inside.replace(/\s*\([^()]*\)\s*$/, '') : text === '' ? to : text);
    case 'kbd':
      return `<kbd>${escaped(inside)}</kbd>`;
    case 'sub':
    case 'subscript':
      return `<sub>${escaped(inside)}</sub>`;
    case 'sup':
    case 'superscript':
      return `<sup>${escaped(inside)}</sup>`;
    case 'guilabel':
    case 'menuselection':
    case 'strong':
      return `**${markdownText(inside.replaceAll('-->', '→').replaceAll(/&(?=\w)/g, ''))}**`;
    case 'emphasis':
      return `*${markdownText(inside)}*`;
    case 'eq':
    case 'cite':
    case 'footcite':
      return markdownText(inside);
    case 'math':
      return `$${inside}$`;
    case 'pep':
      return `[PEP ${to}](https://peps.python.org/pep-${to.padStart(4, '0')}/)`;
    case 'rfc':
      return `[RFC ${to}](https://datatracker.ietf.org/doc/html/rfc${to})`;
    default: {
      if (/^(?:bdg|badge)/.test(role)) return `**${markdownText(text === '' ? inside : text)}**`;
      // `~a.b.c` shows its last part, `!name` is no link.
      const name =
        text === ''
          ? to
              .replace(/^!/, '')
              .replace(/^~.*\.(?=[^.]+$)/, '')
              .replace(/^~/, '')
          : text;
      const mark = name.includes('`') ? '``' : '`';
      return `${mark}${name}${mark}`;
    }
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
