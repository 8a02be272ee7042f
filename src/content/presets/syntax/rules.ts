import type { ComponentRule, ComponentRules } from '../../component-rules.ts';
import { dataLists } from './parts/data-list.ts';
import { argument, boldLine, codeText, escapedText, link, markdownText, target } from './parts/part-rule.ts';
import type { Meaning, Part } from './tag.ts';

/** The rule that the config has for a name; `*` stands for all that nobody else explains. */
export function ruleFor(rules: ComponentRules, name: string): ComponentRule | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

/**
 * What a rule makes of a part. In a replacement `{0}` and `{name}` are the tag's arguments, empty where one is missing, and
 * `{content}` is what is inside; without it, what is inside follows, so no text is lost.
 */
export function ruled(rule: ComponentRule, part: Part): Meaning {
  if (rule === 'drop') return { as: 'drop' };
  if (rule === 'keep') return keptPart(part);
  if ('keep' in rule) return keptPart(part, rule.keep);
  const { args } = part.tag;
  const [before = '', ...after] = rule.replace
    .split('{content}')
    .map((text) =>
      text.replaceAll(/\{([\w-]+)\}/g, (_, name: string) =>
        /^\d+$/.test(name) ? (args.positional[Number(name)] ?? '') : (args.named[name] ?? ''),
      ),
    );
  if (part.inside.trim() === '') return { as: 'text', text: [before, ...after].join('') };
  const below = after.join('{content}');
  return after.length > 0
    ? { as: 'around', open: before, close: below, run: 'markdown' }
    : { as: 'labelled', label: before };
}

/** Arguments that `keep` shows without being told. */
const TITLES = [
  'title',
  'label',
  'header',
  'heading',
  'summary',
  'name',
  'caption',
  'question',
  'term',
] as const;
const ADDRESSES = ['href', 'to', 'url'] as const;
const LONE_TEXTS = ['text', 'alt'] as const;

/**
 * The text of a part, and of its arguments what people read: title, address, description, lists of data, a picture. `also`: arguments whose
 * texts follow.
 */
export function keptPart(part: Part, also: readonly string[] = []): Meaning {
  const title = argument(part, ...TITLES);
  const address = argument(part, ...ADDRESSES) ?? addressIn(part);
  const description = argument(part, 'description');
  const isEmpty = part.inside.trim() === '';
  const picture = isEmpty ? pictureOf(part) : undefined;
  const text = title ?? (isEmpty && picture === undefined ? argument(part, ...LONE_TEXTS) : undefined);
  const more = also.flatMap((name) => argument(part, name) ?? []).map(shownValue);
  const lines = [
    ...(picture === undefined ? [] : [picture]),
    ...(text === undefined && address === undefined
      ? []
      : [address === undefined ? loneLine(text ?? '') : `**${link(text ?? address, address)}**`]),
    ...(description === undefined ? [] : [markdownText(description)]),
    ...(more.length === 0 ? [] : [more.join(' · ')]),
    ...dataLists(part.tag),
  ];
  if (lines.length === 0) return { as: 'keep' };
  return isEmpty ? { as: 'text', text: lines.join('\n\n') } : { as: 'labelled', label: lines.join('\n\n') };
}

/** A command or a line of a program is code, as its braces say. */
function loneLine(text: string): string {
  return /[{}]/.test(text) ? codeText(text) : boldLine(text);
}

/** `link` is a word of other meanings too. */
function addressIn(part: Part): string | undefined {
  const value = argument(part, 'link');
  return value !== undefined && /^(?:https?:\/\/|[./#])\S+$/.test(value) ? value : undefined;
}

function pictureOf(part: Part): string | undefined {
  const address = argument(part, 'src');
  return address !== undefined && /^[^\s?#]+\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(address)
    ? `![${markdownText(argument(part, 'alt') ?? '')}](${target(address)})`
    : undefined;
}

/** An address is a link; so is a link of HTML in a value. */
function shownValue(value: string): string {
  if (/^https?:\/\/[^\s<>]+$/.test(value)) return `<${value}>`;
  if (/[<>{}]/.test(value) && !value.includes('</')) return codeText(value);
  return value
    .split(/(<a\s+href=(?:"[^"<>]*"|'[^'<>]*')\s*>[^<>]*<\/a>)/)
    .map((piece) => {
      const [, , address, text] = /^<a\s+href=(["'])(.*)\1\s*>([^<>]*)<\/a>$/s.exec(piece) ?? [];
      return address === undefined ? escapedText(piece) : link(text ?? address, address);
    })
    .join('')
    .trim();
}

/** Of how a part looks or is found, not of what it says. */
const SETTINGS: ReadonlySet<string> = new Set(
  'id class classname style size width height color colour icon key ref variant theme align position layout lang language loading slot src'.split(
    ' ',
  ),
);

/** What `keep` would show of a part: whether any text of it, and which arguments with words it would leave out. */
export function keptOf(part: Part): { readonly isShown: boolean; readonly attributes: readonly string[] } {
  const shown = new Set<string>([...TITLES, ...ADDRESSES, ...LONE_TEXTS, 'description', 'link']);
  const attributes = Object.entries(part.tag.args.named).flatMap(([name, value]) =>
    shown.has(name) ||
    SETTINGS.has(name.toLowerCase()) ||
    !/\p{L}/u.test(value) ||
    /^(?:true|false)$/.test(value)
      ? []
      : [name],
  );
  return { isShown: part.inside.trim() !== '' || keptPart(part).as !== 'keep', attributes };
}
