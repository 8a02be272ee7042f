import type { Meaning, Part } from '../tag.ts';

/** What a part of a generator becomes; undefined: this rule does not know it, written like that. */
export type PartRule = (part: Part) => Meaning | undefined;

/** Rules by name: in lower case, without `.`, `-`, `_` and `/` (`Tabs.Tab` is `tabstab`, `blocks/lead` is `blockslead`). */
export type PartRules = Readonly<Record<string, PartRule>>;

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[._/-]+/g, '');
}

/** Which one it is among the parts of its name in the part around it, from 0. Counted once for all of them: there may be thousands. */
export function placeAmongSame(part: Part): number {
  const { parent } = part;
  if (parent === undefined) return 0;
  const known = PLACES.get(parent) ?? placesIn(parent);
  PLACES.set(parent, known);
  return known.get(part) ?? 0;
}

const PLACES = new WeakMap<Part, ReadonlyMap<Part, number>>();

function placesIn({ children }: Part): ReadonlyMap<Part, number> {
  const counts = new Map<string, number>();
  return new Map(
    children.map((child) => {
      const name = plainName(child.tag.name);
      const place = counts.get(name) ?? 0;
      counts.set(name, place + 1);
      return [child, place];
    }),
  );
}

/** The first of the arguments that says something. */
export function argument({ tag }: Part, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = /^\d+$/.test(name) ? tag.args.positional[Number(name)] : tag.args.named[name];
    if (value !== undefined && value.trim() !== '') return value.trim();
  }
  return undefined;
}

/** Plain text as Markdown of one line. */
export function markdownText(text: string): string {
  return escapedText(text).trim();
}

/** The same of a piece of a line. */
export function escapedText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>~|]/g, String.raw`\$&`);
}

/** A type or a line of a program, as code. */
export function codeText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.includes('`') ? markdownText(line) : `\`${line}\``;
}

/** A line in bold: what a tab, a step or a card is called. */
export function boldLine(text: string): string {
  return `**${markdownText(text)}**`;
}

export function link(text: string, address: string): string {
  return `[${markdownText(text)}](${target(address)})`;
}

/** An address as Markdown has it between parentheses. */
export function target(address: string): string {
  const url = address.trim();
  return /[\s()<>]/.test(url) ? `<${url.replaceAll(/[<>\n]/g, encodeURIComponent)}>` : url;
}

export const KEEP: Meaning = { as: 'keep' };

/** Parts that only arrange what is inside: the text stays, and a title of their own in bold above it. */
export const wrapper: PartRule = (part) => {
  const title = argument(part, 'title');
  return title === undefined ? KEEP : { as: 'labelled', label: boldLine(title) };
};
