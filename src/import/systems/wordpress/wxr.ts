import { linesOf } from '../../text/json-values.ts';
import { withoutControls } from '../../text/plain-text.ts';
import type { InputText, Skipped, SourcePlace } from '../../record.ts';
import { readXml } from '../../text/xml.ts';

/** An item of a WXR file; names have the usual prefixes, even if the file declares others. */
export interface WxrItem {
  readonly at: SourcePlace;
  /** `title`, `content:encoded`, `wp:post_id` … → text. */
  readonly values: ReadonlyMap<string, string>;
  readonly terms: readonly { readonly domain: string; readonly nicename: string; readonly name: string }[];
  readonly meta: ReadonlyMap<string, string>;
}

/** A category of the list of them, or a term of another list; `taxonomy` names the list. */
export interface WxrTerm {
  readonly at: SourcePlace;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  /** The slug of the term above it. */
  readonly parent: string | undefined;
  readonly description: string;
}

export interface Wxr {
  readonly language: string | undefined;
  /** The blog's address, as the file says it. */
  readonly site: string | undefined;
  readonly items: readonly WxrItem[];
  readonly terms: readonly WxrTerm[];
  readonly skipped: readonly Skipped[];
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly spaces: ReadonlyMap<string, string>;
  text: string;
}

/** What a WXR file says, of any version. An item that is not closed is no whole one and is skipped, with its line. */
export function readWxr({ path, text }: InputText): Wxr {
  const xml = withoutControls(text);
  const lineAt = linesOf(xml);
  const items: WxrItem[] = [];
  const listed: WxrTerm[] = [];
  const skipped: Skipped[] = [];
  const channel = new Map<string, string>();
  const stack: Open[] = [];
  let values = new Map<string, string>();
  let terms: WxrItem['terms'][number][] = [];
  let meta = new Map<string, string>();
  let isFaulty = false;
  const at = (offset: number): SourcePlace => ({ file: path, where: lineAt(offset) });

  const closed = (element: Open): void => {
    const parent = stack.at(-1);
    const text = element.text.trim();
    if (element.name === 'item') items.push({ at: at(element.offset), values, terms, meta });
    else if (isTerm(element.name)) listed.push(termOf(values, at(element.offset)));
    else if (element.name === 'wp:postmeta')
      meta.set(values.get('wp:meta_key') ?? '', values.get('wp:meta_value') ?? '');
    else if (parent?.name === 'item' && element.name === 'category') {
      const { domain = 'category', nicename = '' } = element.attributes;
      terms.push({ domain, nicename, name: text });
    } else if (parent?.name === 'item' || isTerm(parent?.name) || parent?.name === 'wp:postmeta') {
      // The first stands: plug-ins put elements of the same name behind WordPress's own.
      if (!values.has(element.name) || parent?.name === 'wp:postmeta') values.set(element.name, text);
    } else if (parent !== undefined && stack.length === 2) {
      if (!channel.has(element.name)) channel.set(element.name, text);
    }
  };
  const isWhole = readXml(xml, {
    open: (written, attributes, offset) => {
      const spaces = spacesOf(attributes, stack.at(-1)?.spaces ?? new Map());
      const name = usualName(written, spaces);
      stack.push({ name, attributes, offset, spaces, text: '' });
      if (name === 'item' || isTerm(name)) values = new Map();
      if (name === 'item') {
        terms = [];
        meta = new Map();
      }
    },
    text: (text) => {
      const element = stack.at(-1);
      if (element !== undefined) element.text += text;
    },
    close: (_, isImplied) => {
      const element = stack.pop();
      if (element === undefined) return;
      if (!isImplied) return closed(element);
      const isItem = element.name === 'item';
      // What is missing inside an item is the item's fault.
      if (isItem || (!isFaulty && stack.every(({ name }) => name !== 'item'))) {
        const what = isItem ? `item "${values.get('title') ?? ''}"` : 'file';
        const why = `<${element.name}> is not closed`;
        skipped.push({ at: at(element.offset), what, reason: 'broken', why });
        isFaulty ||= !isItem;
      }
    },
  });
  if (!isWhole) {
    const why = 'its elements are nested too deeply, so kbsync does not read the rest';
    skipped.push({ at: at(stack[0]?.offset ?? 0), what: 'file', reason: 'broken', why });
  }
  return {
    language: channel.get('language'),
    site: channel.get('wp:base_blog_url') ?? channel.get('link'),
    items,
    terms: listed,
    skipped,
  };
}

function isTerm(name: string | undefined): boolean {
  return name === 'wp:category' || name === 'wp:term';
}

/** `<wp:category>` has names of its own for what `<wp:term>` says. */
function termOf(values: ReadonlyMap<string, string>, at: SourcePlace): WxrTerm {
  const value = (...names: readonly string[]): string =>
    names.map((name) => values.get(name) ?? '').find((each) => each !== '') ?? '';
  const parent = value('wp:category_parent', 'wp:term_parent');
  return {
    at,
    taxonomy: value('wp:term_taxonomy') || 'category',
    slug: value('wp:category_nicename', 'wp:term_slug'),
    name: value('wp:cat_name', 'wp:term_name'),
    parent: parent === '' || parent === '0' ? undefined : parent,
    description: value('wp:category_description', 'wp:term_description'),
  };
}

/** Prefix → address, with those that an element declares. */
function spacesOf(
  attributes: Readonly<Record<string, string>>,
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const declared = Object.entries(attributes).filter(([name]) => name.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  return new Map([...outer, ...declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri] as const)]);
}

/** `wp:` for the export's own names, in any version and under any prefix; a prefix that means something else is shown whole. */
function usualName(name: string, spaces: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(':');
  if (colon < 0) return name;
  const uri = spaces.get(name.slice(0, colon));
  const local = name.slice(colon + 1);
  if (uri === undefined) return name;
  if (/^https?:\/\/(?:www\.)?wordpress\.org\/export\/1\.\d+\/excerpt\/?$/.test(uri))
    return `excerpt:${local}`;
  if (/^https?:\/\/(?:www\.)?wordpress\.org\/export\/1\.\d+\/?$/.test(uri)) return `wp:${local}`;
  if (/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?$/.test(uri)) return `content:${local}`;
  if (/^https?:\/\/purl\.org\/dc\/elements\/1\.1\/?$/.test(uri)) return `dc:${local}`;
  return `{${uri}}${local}`;
}
