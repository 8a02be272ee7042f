import { htmlparser2 } from '../../parsers.ts';

type Child = ReturnType<ReturnType<typeof htmlparser2>['parseDocument']>['children'][number];
type Element = Extract<Child, { readonly attribs: unknown }>;

/** A file of Vue: its template and its scripts. */
export interface VueFile {
  /** The template as JSX, in which `$slots` holds what the component is given, `$unknown` stands for what nobody knows. Undefined: there is none, or in another language. */
  readonly template: string | undefined;
  /** What `<script setup>` says, or `<script>` that exports its options. */
  readonly script: string;
  readonly isSetup: boolean;
}

/** The blocks of a single-file component (https://vuejs.org/api/sfc-spec.html). */
export function vueFile(source: string): VueFile {
  const blocks = treeOf(source).flatMap((node) => (isElement(node) ? [node] : []));
  const scripts = blocks.filter(({ name }) => name === 'script');
  const setup = scripts.find(({ attribs }) => 'setup' in attribs);
  const template = blocks.find(({ name }) => name === 'template');
  const isHtml = template !== undefined && /^(?:html)?$/.test(template.attribs['lang'] ?? '');
  return {
    template: isHtml ? `<>${childrenJsx(template.children)}</>` : undefined,
    script: [...scripts.filter((each) => each !== setup), ...(setup === undefined ? [] : [setup])]
      .map(({ children }) => textOf(children))
      .join('\n'),
    isSetup: setup !== undefined,
  };
}

/** One tag of a page with something else in its place inside: `<Box :open="1" />` as JSX. `slots`: the name of each slot → what stands for it. */
export function vueTagJsx(
  tag: string,
  inner: string,
  slots: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const [element] = treeOf(tag);
  if (element === undefined || !isElement(element)) return undefined;
  const jsx = elementJsx(element, inner);
  if (slots.size === 0) return jsx;
  const given = [...slots].map(([name, its]) => `${JSON.stringify(name)}: ${its}`).join(', ');
  return jsx.replace(/^<[\w.]+/, (start) => `${start} $slots={{${given}}}`);
}

/**
 * What stands between the tags of a component in a page, by its slots (https://vuejs.org/guide/components/slots.html#named-slots). Undefined: it has none.
 * `unknown`: one asks the component for values, or is inside another component that nobody knows. `isTaken`: code and comments, which
 * hold no slots.
 */
export function slotsIn(text: string, isTaken: (offset: number) => boolean): Slots | 'unknown' | undefined {
  const named = new Map<string, string>();
  let own = '';
  let from = 0;
  let opened = 0;
  for (const { 0: open, 1: written = '', index } of text.matchAll(SLOT)) {
    if (index < from || isTaken(index)) continue;
    const end = templateEnd(text, index + open.length, isTaken);
    const name = /^(?:#|v-slot:)([\w-]+)$/.exec(written.trim())?.[1];
    own += text.slice(from, index);
    opened += openedIn(text, { from, to: index }, isTaken);
    if (end === undefined || name === undefined || named.has(name) || opened > 0) return 'unknown';
    named.set(name, text.slice(index + open.length, end - TEMPLATE_END.length));
    from = end;
  }
  return named.size === 0 ? undefined : { own: own + text.slice(from), named };
}

export interface Slots {
  readonly own: string;
  readonly named: ReadonlyMap<string, string>;
}

const SLOT = /<template\s+((?:#|v-slot)[^<>]*)>/g;
const TEMPLATE_END = '</template>';

/** Behind the end of a `<template>`, those inside it counted. */
function templateEnd(text: string, from: number, isTaken: (offset: number) => boolean): number | undefined {
  let depth = 1;
  const tags = /<(\/?)template\b[^<>]*>/g;
  tags.lastIndex = from;
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    if (isTaken(tag.index)) continue;
    depth += tag[1] === '' ? 1 : -1;
    if (depth === 0) return tag[0] === TEMPLATE_END ? tag.index + TEMPLATE_END.length : undefined;
  }
  return undefined;
}

/** How many components a part of the text opens, less those that it closes. */
function openedIn(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  isTaken: (offset: number) => boolean,
): number {
  const tags = [...text.slice(from, to).matchAll(/<(\/?)[A-Z][\w.]*(?:\s[^<>]*?)?(\/?)>/g)];
  return tags
    .filter(({ index }) => !isTaken(from + index))
    .reduce((depth, [, close, self]) => depth + (close === '' ? (self === '' ? 1 : 0) : -1), 0);
}

function treeOf(source: string): readonly Child[] {
  const options = {
    lowerCaseTags: false,
    lowerCaseAttributeNames: false,
    recognizeSelfClosing: true,
  };
  const { children } = htmlparser2().parseDocument(source, options);
  return isTooDeep(children) ? [] : children;
}

/** No template that people write nests so deeply. */
const DEPTH_MAX = 100;

function isTooDeep(nodes: readonly Child[]): boolean {
  let level = nodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap((node) => (isElement(node) ? node.children : []));
  }
  return false;
}

function isElement(node: Child): node is Element {
  return 'attribs' in node;
}

function textOf(nodes: readonly Child[]): string {
  return nodes.map((node) => ('data' in node ? node.data : '')).join('');
}

/** Of the DOM. */
const TEXT = 3;

/** Conditions bind the elements that follow each other. */
function childrenJsx(nodes: readonly Child[]): string {
  let jsx = '';
  let isChain = false;
  const end = (): void => {
    if (isChain) jsx += 'null}';
    isChain = false;
  };
  for (const node of nodes) {
    if (!isElement(node)) {
      const text = 'data' in node && node.nodeType === TEXT ? node.data : '';
      if (isChain && text.trim() === '') continue;
      end();
      jsx += textJsx(text);
      continue;
    }
    const { attribs } = node;
    const isElse = 'v-else' in attribs || 'v-else-if' in attribs;
    if (!isElse) end();
    const test = attribs['v-if'] ?? attribs['v-else-if'];
    if (test !== undefined) {
      jsx += `${isElse && isChain ? '' : '{'}(${expression(test)}) ? (${elementJsx(node)}) : `;
      isChain = true;
    } else if (isElse && isChain) {
      jsx += `(${elementJsx(node)})}`;
      isChain = false;
    } else jsx += elementJsx(node);
  }
  end();
  return jsx;
}

/** `Hello {{ name }}`; blanks are those of HTML. */
function textJsx(text: string): string {
  let jsx = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) break;
    jsx += `${plainText(text.slice(from, open))}{${expression(text.slice(open + 2, close))}}`;
    from = close + 2;
  }
  return jsx + plainText(text.slice(from));
}

function plainText(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ');
  return plain === '' ? '' : `{${JSON.stringify(plain)}}`;
}

/** Elements that only change when and where something is shown. */
const TRANSPARENT =
  /^(?:template|Transition|TransitionGroup|KeepAlive|Suspense|ClientOnly|client-only|div-none)$/;
const LINKS = /^(?:RouterLink|router-link|RouteLink|NuxtLink|nuxt-link|VPLink)$/;

function elementJsx(node: Element, inner?: string): string {
  const { name, attribs } = node;
  const loop = attribs['v-for'];
  const once = name === 'slot' ? slotJsx(node) : plainJsx(node, inner);
  if (loop === undefined) return `{${wrapped(once)}}`.replace(/^\{(<[\s\S]*>)\}$/, '$1');
  if (loop.length > LOOP_CHARS_MAX) return '{$unknown}';
  const [, item = '', list] = /^(?:\(([\s\S]*?)\)|([\s\S]*?))\s+(?:in|of)\s/.exec(loop.trim()) ?? [];
  const source = /\s(?:in|of)\s([\s\S]*)$/.exec(loop)?.[1];
  const names = item === '' ? (list ?? '') : item;
  if (source === undefined || names === '') return '{$unknown}';
  return `{(${expression(source)}).map((${names}) => (${wrapped(once)}))}`;
}

const LOOP_CHARS_MAX = 1000;

/** An expression that stands alone in JavaScript: elements as they are. */
function wrapped(jsx: string): string {
  return jsx.startsWith('{') && jsx.endsWith('}') ? `<>${jsx}</>` : jsx;
}

function slotJsx({ attribs, children }: Element): string {
  const isPlain = Object.keys(attribs).every((key) =>
    /^(?:(?:v-bind)?:?name|(?:v-bind)?:key|v-(?:if|else|else-if|for))$/.test(key),
  );
  if (!isPlain) return '<>{$unknown}</>';
  const bound = attribs[':name'] ?? attribs['v-bind:name'];
  const name = bound === undefined ? JSON.stringify(attribs['name'] ?? 'default') : expression(bound);
  return `<>{$slots[${name}] ?? <>${childrenJsx(children)}</>}</>`;
}

function plainJsx(node: Element, inner?: string): string {
  const { name, attribs } = node;
  if (name === 'component' || name === 'Teleport' || name === 'teleport') return '<>{$unknown}</>';
  const isHost = /^[a-z][a-z0-9]*$/.test(name);
  const slots = isHost ? [] : node.children.filter((child) => slotName(child) !== undefined);
  const own = node.children.filter((child) => !slots.includes(child));
  const children = inner ?? childrenJsx(isHost ? own : trimmed(own));
  if (TRANSPARENT.test(name)) return `<>${children}</>`;
  const tag = LINKS.test(name) ? 'a' : isHost ? name : componentName(name);
  const attributes = attributesJsx(attribs, !isHost && tag !== 'a');
  if (attributes === undefined) return '<>{$unknown}</>';
  const link = tag === 'a' && !isHost ? attributes.replace(/ to=/, ' href=') : attributes;
  const given =
    slots.length === 0
      ? ''
      : ` $slots={{${slots.map((child) => `${JSON.stringify(slotName(child))}: <>${isElement(child) ? childrenJsx(child.children) : ''}</>`).join(', ')}}}`;
  return `<${tag}${link}${given}>${children}</${tag}>`;
}

function trimmed(nodes: readonly Child[]): readonly Child[] {
  return nodes.every((node) => !isElement(node) && 'data' in node && node.data.trim() === '') ? [] : nodes;
}

/** `<template #title>` without values that come from inside. */
function slotName(node: Child): string | undefined {
  if (!isElement(node) || node.name !== 'template') return undefined;
  for (const [key, value] of Object.entries(node.attribs)) {
    const name =
      /^(?:#|v-slot:)([\w-]+)$/.exec(key)?.[1] ?? (/^(?:#|v-slot)$/.test(key) ? 'default' : undefined);
    if (name !== undefined) return value === '' ? name : '$unknown';
  }
  return undefined;
}

/** `my-badge` is `MyBadge`. */
export function componentName(name: string): string {
  return name.includes('-') || /^[a-z]/.test(name)
    ? name.replaceAll(/(?:^|-)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}

/** `v-show` hides by style alone: the element is always in the page (https://vuejs.org/api/built-in-directives.html#v-show). */
const UNSEEN =
  /^(?:@|v-on|v-if$|v-else|v-for$|v-show$|v-once$|v-cloak$|v-memo$|(?:v-bind)?:?(?:key|ref|class)$|class$|data-|#)/;

/** Undefined where a directive decides what is shown in a way that nobody knows. */
function attributesJsx(attribs: Readonly<Record<string, string>>, isComponent: boolean): string | undefined {
  let jsx = '';
  for (const [written, value] of Object.entries(attribs)) {
    if (UNSEEN.test(written)) continue;
    if (written === 'v-bind') {
      jsx += ` {...(${expression(value)})}`;
      continue;
    }
    if (written === 'v-html' || written === 'v-text') {
      jsx += ` ${written === 'v-html' ? 'set:html' : 'set:text'}={${expression(value)}}`;
      continue;
    }
    const bound = /^(?:v-bind)?:([\w-]+)(?:\.[\w.]+)?$/.exec(written)?.[1];
    if (bound === undefined && /^(?:v-|:|\.)/.test(written)) return undefined;
    const name = isComponent ? camel(bound ?? written) : (bound ?? written);
    if (!/^[A-Za-z_$][\w$-]*$/.test(name)) continue;
    if (bound !== undefined) jsx += ` ${name}={${expression(value === '' ? camel(bound) : value)}}`;
    else jsx += value === '' ? ` ${name}` : ` ${name}={${JSON.stringify(value)}}`;
  }
  return jsx;
}

function camel(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function expression(written: string): string {
  return written.trim() === '' ? '$unknown' : written.trim();
}
