import { scalar, textsOf, valueAt } from '../../pages/side-file.ts';
import { exportedLiterals } from '../../settings/literals.ts';
import type { Tag } from '../tag.ts';
import { codeText, link, markdownText } from './part-rule.ts';

const NAMES = ['title', 'name', 'label', 'heading', 'header', 'question', 'term', 'type'] as const;
const ADDRESSES = ['href', 'to', 'url', 'link'] as const;
const TEXTS = ['description', 'text', 'content', 'answer'] as const;
const LISTS = ['properties', 'parameters', 'items', 'children', 'fields'] as const;

/** Comments may stand before the first object. Each character has one way through the pattern. */
const LIST_OF_OBJECTS = /^\[(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*\{/;

/** Deeper lists are read by nobody. */
const DEPTH_MAX = 8;

/**
 * What a component is given as data (`items={[{ title: 'A', href: '/a', description: 'What A is' }]}`), as lists of Markdown: a line for each
 * entry that has a name. Only what is written out is read; nothing is run.
 */
export function dataLists(tag: Tag): readonly string[] {
  return Object.values(tag.args.computed ?? {}).flatMap((written) => {
    if (!LIST_OF_OBJECTS.test(written)) return [];
    const lines = linesOf(exportedLiterals(`export default (${written});`), '', 0);
    return lines.length === 0 ? [] : [lines.join('\n')];
  });
}

function linesOf(list: unknown, indent: string, depth: number): readonly string[] {
  if (!Array.isArray(list) || depth > DEPTH_MAX) return [];
  return list.flatMap((item: unknown) => {
    const line = lineOf(item);
    const below = LISTS.flatMap((key) =>
      linesOf(valueAt(item, key), line === undefined ? indent : `${indent}  `, depth + 1),
    );
    return line === undefined ? below : [`${indent}- ${line}`, ...below];
  });
}

/** `**name** · type · optional: what it is` */
function lineOf(item: unknown): string | undefined {
  const name = firstText(item, NAMES);
  if (name === undefined) return undefined;
  const address = firstText(item, ADDRESSES);
  const type = firstText(item, ['type']);
  const text = firstText(item, TEXTS);
  const facts = [
    `**${address === undefined ? markdownText(name) : link(name, address)}**`,
    ...(type === undefined || type === name ? [] : [codeText(type)]),
    ...(valueAt(item, 'required') === true || valueAt(item, 'isRequired') === true ? ['required'] : []),
    ...(valueAt(item, 'optional') === true || valueAt(item, 'isOptional') === true ? ['optional'] : []),
    ...defaultOf(item),
  ];
  return text === undefined ? facts.join(' · ') : `${facts.join(' · ')}: ${markdownText(text)}`;
}

function defaultOf(item: unknown): readonly string[] {
  const value = scalar(valueAt(item, 'default'));
  return value === undefined || value.includes('`') ? [] : [`default: \`${value}\``];
}

function firstText(item: unknown, keys: readonly string[]): string | undefined {
  return keys.flatMap((key) => textsOf(valueAt(item, key))).find((text) => text.trim() !== '');
}
