import { nodeOf, nodesOf, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import type { Evaluate, Scope } from './scope.ts';
import {
  costOf,
  isCallable,
  isHtml,
  isList,
  isMapping,
  isSpoilt,
  isTrue,
  isWhole,
  joined,
  UNKNOWN,
  valueIn,
} from './values.ts';
import type { Html, Value } from './values.ts';

/** Elements that only a script makes useful: what a reader does with them, no text can say. */
const CONTROLS = words('input select textarea form dialog canvas slot');
const GONE = words('style script svg head link meta template noscript');
const VOID = words('area br col embed hr img source track wbr');
/** What a page needs of an element; how it looks and what scripts read is left out. */
const KEPT = words(
  'href src alt title id colspan rowspan open start reversed width height lang dir class controls poster type cite datetime',
);
/** Without one of these the element says something else. */
const NEEDED = words('href src to');

/** What an element of JSX shows; `UNKNOWN` if anything in it is. */
export function elementHtml(node: Node, scope: Scope, evaluate: Evaluate): Value {
  if (node.type === 'JSXFragment') return childrenOf(node, scope, evaluate);
  const opening = nodeOf(node, 'openingElement');
  const name = elementName(opening === undefined ? undefined : nodeOf(opening, 'name'));
  if (opening === undefined || name === undefined) return UNKNOWN;
  if (GONE.has(name)) return name === 'svg' ? htmlFrom(labelOf(opening, scope, evaluate), scope) : htmlOf('');
  if (name === 'button') return isSilent(childrenOf(node, scope, evaluate)) ? htmlOf('') : UNKNOWN;
  if (CONTROLS.has(name)) return UNKNOWN;
  const isFragment = /^(?:React\.)?Fragment$|^Translate$/.test(name);
  const isHost = isFragment || /^[a-z][a-z0-9-]*$/.test(name);
  const component = isHost ? undefined : componentNamed(name, scope);
  const properties = propertiesOf(opening, isCallable(component) ? OF_REACT : UNSEEN, scope, evaluate);
  if (properties === undefined) return UNKNOWN;
  const isEmpty = nodesOf(node, 'children').length === 0 && !isCallable(component);
  // `<div {...props} />` shows what stands between the tags of its component.
  const written = isEmpty ? htmlFrom(properties.get('children'), scope) : childrenOf(node, scope, evaluate);
  const children = rawHtml(properties) ?? written;
  if (!isHtml(children)) return UNKNOWN;
  // Texts of Docusaurus with gaps.
  if (isFragment) return properties.has('values') ? UNKNOWN : children;
  if (isHost) return host(name, properties, children, scope);
  if (isCallable(component)) {
    const given = new Map(properties);
    if (children.html !== '') given.set('children', children);
    return htmlFrom(component.call([given]), scope);
  }
  // A drawing as a component.
  if (typeof component === 'string' && component.endsWith('.svg'))
    return host(
      'img',
      new Map([
        ['src', component],
        ['alt', ''],
      ]),
      htmlOf(''),
      scope,
    );
  return component === undefined ? known(name, properties, children, scope) : UNKNOWN;
}

/** Of a button whose only sign is a drawing (a copy button), a reader without its script misses nothing. */
function isSilent(children: Value): boolean {
  return isHtml(children) && !/<img\b|[^\s]/.test(children.html.replaceAll(/<(?!img\b)[^<>]*>/g, ''));
}

/** What a value shows inside an element. */
export function htmlFrom(value: Value, { world }: Pick<Scope, 'world'>): Value {
  const { budget } = world;
  const room = { chars: Math.max(0, budget.chars), items: SHOWN_MAX };
  const html = shown(value, room, 0);
  budget.steps -= Math.floor((budget.chars - room.chars) / 100) + Math.floor((SHOWN_MAX - room.items) / 10);
  return html === undefined ? UNKNOWN : htmlOf(html);
}

/** Lists that hold the same list twice show it twice. */
const SHOWN_MAX = 20_000;
const SHOWN_DEPTH_MAX = 100;

function shown(value: Value, room: { chars: number; items: number }, depth: number): string | undefined {
  room.items -= 1;
  if (room.items < 0 || depth > SHOWN_DEPTH_MAX || isSpoilt(value)) return undefined;
  if (isList(value)) {
    let html = '';
    for (const each of value) {
      const part = shown(each, room, depth + 1);
      if (part === undefined) return undefined;
      html += part;
    }
    return html;
  }
  const html = shownAlone(value);
  room.chars -= html?.length ?? 0;
  return room.chars < 0 ? undefined : html;
}

function shownAlone(value: Value): string | undefined {
  if (isHtml(value)) return value.html;
  if (typeof value === 'string' || typeof value === 'number') return asText(String(value));
  return value === null || value === undefined || typeof value === 'boolean' ? '' : undefined;
}

/** A text in which no character is a sign of Markdown, HTML or MDX. */
export function asText(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]{}<>&#|~$:!@"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)
    .replaceAll('\n', '&#10;');
}

function htmlOf(html: string): Html {
  return { as: 'html', html };
}

function elementName(node: Node | undefined): string | undefined {
  if (node?.type === 'JSXIdentifier') return textOf(node, 'name');
  if (node?.type !== 'JSXMemberExpression') return undefined;
  // Nobody writes `a.b.c` as the name of a component; as many dots as a file has room for would be too deep.
  const [object, property] = [nodeOf(node, 'object'), nodeOf(node, 'property')];
  const [first, second] = [textOf(object, 'name'), textOf(property, 'name')];
  return first === undefined || second === undefined ? undefined : `${first}.${second}`;
}

/** What a picture without a file says to those who cannot see it. */
function labelOf(opening: Node, scope: Scope, evaluate: Evaluate): Value {
  const label = nodesOf(opening, 'attributes').find(
    (each) => attributeName(nodeOf(each, 'name')) === 'aria-label',
  );
  const value = label === undefined ? '' : attributeValue(label, scope, evaluate);
  return value === UNKNOWN ? '' : value;
}

const OF_REACT = /^(?:key|ref)$/;
/** A function that waits for a click, and what only scripts read. */
const UNSEEN = /^(?:on[A-Z]|key$|ref$|aria-(?!label$)|data-)/;

/** By small names; undefined where a value that decides what is shown is unknown. */
function propertiesOf(
  opening: Node,
  left: RegExp,
  scope: Scope,
  evaluate: Evaluate,
): ReadonlyMap<string, Value> | undefined {
  const found = new Map<string, Value>();
  for (const attribute of nodesOf(opening, 'attributes')) {
    if (attribute.type === 'JSXSpreadAttribute') {
      const argument = nodeOf(attribute, 'argument');
      const spread = argument === undefined ? UNKNOWN : evaluate(argument, scope);
      if (!isMapping(spread) || !isWhole(spread)) return undefined;
      scope.world.budget.steps -= costOf(spread);
      for (const [name, value] of spread) found.set(name, value);
      continue;
    }
    const name = attributeName(nodeOf(attribute, 'name'));
    if (name === undefined) return undefined;
    if (left.test(name)) continue;
    found.set(name, attributeValue(attribute, scope, evaluate));
  }
  return found;
}

function attributeName(node: Node | undefined): string | undefined {
  if (node?.type !== 'JSXNamespacedName') return textOf(node, 'name');
  return `${textOf(nodeOf(node, 'namespace'), 'name') ?? ''}:${textOf(nodeOf(node, 'name'), 'name') ?? ''}`;
}

function attributeValue(attribute: Node, scope: Scope, evaluate: Evaluate): Value {
  const value = nodeOf(attribute, 'value');
  if (value === undefined) return true;
  if (value.type !== 'JSXExpressionContainer') return evaluate(value, scope);
  const expression = nodeOf(value, 'expression');
  return expression === undefined ? UNKNOWN : evaluate(expression, scope);
}

/** `dangerouslySetInnerHTML={{ __html: text }}`, and `set:html` of Astro. */
function rawHtml(properties: ReadonlyMap<string, Value>): Value {
  const inner = properties.get('dangerouslySetInnerHTML');
  const text =
    inner === undefined ? properties.get('set:html') : isMapping(inner) ? inner.get('__html') : UNKNOWN;
  const plain = properties.get('set:text');
  if (plain !== undefined) {
    const words = joined(plain);
    return words === undefined ? UNKNOWN : htmlOf(asText(words));
  }
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || NOT_IN_LINES.test(text)) return UNKNOWN;
  return htmlOf(text.replaceAll('\n', ' ').replaceAll(/<[^<>]*>|[\\`*_[\]{}|~$:!@]/g, asTagOrText));
}

/** Elements whose lines or text mean more than they show, and what a script makes useful. */
const NOT_IN_LINES = /<(?:!|pre|script|style|textarea|template|button|input|select|form|iframe)/i;

/** HTML that comes as it is holds no Markdown. */
function asTagOrText(part: string): string {
  return part.startsWith('<') ? part : asText(part);
}

function childrenOf(node: Node, scope: Scope, evaluate: Evaluate): Value {
  const children = nodesOf(node, 'children');
  const parts = children.map((child, at) => {
    if (child.type === 'JSXText') {
      const text = textOf(child, 'value') ?? '';
      const isBetween = at > 0 && at < children.length - 1;
      return isBetween && LINE_END.test(text) ? ' ' : writtenText(text);
    }
    const expression = child.type === 'JSXExpressionContainer' ? nodeOf(child, 'expression') : undefined;
    return evaluate(expression ?? child, scope);
  });
  return htmlFrom(parts, scope);
}

/** JSX drops it. What stands in two lines there is kept apart by the style, which a knowledge base does not have. */
const LINE_END = /^\s*\n\s*$/;

/** Lines of text in JSX: their indents and the ends of lines around tags are none of it. */
function writtenText(text: string): string {
  const lines = text.split('\n');
  const kept = lines.map((line, at) => {
    const begun = at === 0 ? line : line.trimStart();
    return at === lines.length - 1 ? begun : begun.trimEnd();
  });
  return kept.filter((line) => line !== '').join(' ');
}

function host(name: string, properties: ReadonlyMap<string, Value>, children: Html, scope: Scope): Value {
  if (isTrue(properties.get('hidden')) !== false || isUnseen(properties.get('style'))) return UNKNOWN;
  // It is a script's.
  if (name.includes('-') && children.html === '') return UNKNOWN;
  const attributes: string[] = [];
  for (const [written, value] of properties) {
    const key = written === 'className' ? 'class' : written.toLowerCase();
    if (!KEPT.has(key) || value === false || value === null || value === undefined) continue;
    const text = joined(value);
    if (text === undefined) {
      if (NEEDED.has(key)) return UNKNOWN;
      continue;
    }
    attributes.push(value === true ? ` ${key}` : ` ${key}="${inQuotes(text)}"`);
  }
  const open = `<${name}${attributes.join('')}>`;
  const label = properties.get('aria-label');
  // A link of an icon alone.
  const inside =
    name === 'a' && children.html === '' && typeof label === 'string' ? asText(label) : children.html;
  if (VOID.has(name)) return htmlFrom(htmlOf(`${open.slice(0, -1)} />`), scope);
  return htmlFrom(htmlOf(`${open}${inside}</${name}>`), scope);
}

function isUnseen(style: Value): boolean {
  if (typeof style === 'string') return /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
  return isMapping(style) && (style.get('display') === 'none' || style.get('visibility') === 'hidden');
}

/** A part that the layout explains, such as `<Admonition type="tip">` of Docusaurus. */
function known(name: string, properties: ReadonlyMap<string, Value>, children: Html, scope: Scope): Value {
  if (!scope.world.isKnownPart(name)) return UNKNOWN;
  // In a block of HTML nothing reads the Markdown that a rule for pictures or links writes.
  if (
    scope.world.isPicture(name) &&
    !scope.world.hasRule(name) &&
    typeof properties.get('src') === 'string' &&
    !properties.has('caption')
  )
    return host('img', properties, htmlOf(''), scope);
  const address = properties.get('href') ?? properties.get('to');
  if (
    scope.world.isLink(name) &&
    !scope.world.hasRule(name) &&
    typeof address === 'string' &&
    children.html !== ''
  )
    return host('a', new Map([...properties, ['href', address]]), children, scope);
  const attributes: string[] = [];
  for (const [key, value] of properties) {
    if (key === 'children' || key === 'style') continue;
    const text = joined(value);
    // A package puts names of styles together.
    if (text === undefined && key === 'className') continue;
    if (text === undefined) {
      if (NEEDED.has(key) || isTrue(value) === undefined) return UNKNOWN;
      continue;
    }
    attributes.push(` ${key}=${typeof value === 'string' ? `"${inQuotes(value)}"` : `{${text}}`}`);
  }
  const tag = `<${name}${attributes.join('')}`;
  // What holds lines of code stands in lines of its own, whatever is beside it.
  const line = BLOCKS.test(name) ? '\n' : '';
  const end = children.html === '' ? ' />' : `>${line}${children.html}${line}</${name}>`;
  return htmlFrom(htmlOf(`${line}${tag}${end}${line}`), scope);
}

const BLOCKS = /^(?:Code|CodeBlock|CodeGroup|Pre|Tabs|Tab|TabItem|Tabs\.Tab|Steps|Step)$/;

/** A text as the value of an attribute. */
export function inQuotes(text: string): string {
  return text.replaceAll(/[&"<>{}\n]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

/** Undefined: the file does not define it. */
function componentNamed(name: string, scope: Scope): Value {
  const [first = '', ...rest] = name.split('.');
  for (let each: Scope | undefined = scope; each !== undefined; each = each.above) {
    const found = each.names.has(first) ? each.names.get(first) : each.imported?.(first);
    if (found === undefined) continue;
    if (found === UNKNOWN) return undefined;
    const [only] = rest;
    if (only === undefined) return found;
    return isMapping(found) ? valueIn(found, only) : undefined;
  }
  return undefined;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
