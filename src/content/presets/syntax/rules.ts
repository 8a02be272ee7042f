import type { ComponentRule, ComponentRules } from '../../component-rules.ts';
import { argument, boldLine, link, markdownText } from './parts/part-rule.ts';
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

/** The text of a part, and of its arguments what people read: title, description, address. */
export function keptPart(part: Part): Meaning {
  const title = argument(part, 'title', 'label', 'header', 'summary', 'name', 'caption');
  const address = argument(part, 'href', 'to', 'url');
  const description = argument(part, 'description');
  const isEmpty = part.inside.trim() === '';
  const text = title ?? (isEmpty ? argument(part, 'text') : undefined);
  const lines = [
    ...(text === undefined && address === undefined
      ? []
      : [address === undefined ? boldLine(text ?? '') : `**${link(text ?? address, address)}**`]),
    ...(description === undefined ? [] : [markdownText(description)]),
  ];
  if (lines.length === 0) return { as: 'keep' };
  return isEmpty ? { as: 'text', text: lines.join('\n\n') } : { as: 'labelled', label: lines.join('\n\n') };
}
