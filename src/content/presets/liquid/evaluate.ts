import { parsed } from './template.ts';
import type { Block, Branch, Node } from './template.ts';
import { shown } from './filters.ts';
import { CHARS_MAX, charsOf } from './chars.ts';
import { UNKNOWN, below, isTrue, valueOf } from './values.ts';
import type { Scope } from './values.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';
import { asOneBlock } from '../html-block.ts';
import type { Edit } from '../preset.ts';

/** What a template can look up. */
export interface LiquidWorld {
  /** The value of `site…`, `page…` or `jekyll…`. */
  readonly value: (name: string, keys: readonly string[]) => unknown;
  /** The text of a file in `_includes`. */
  readonly include: (name: string) => string | undefined;
  /** Names that a rule of the user is about. */
  readonly isRuled: (name: string) => boolean;
}

const DEPTH_MAX = 8;
const PIECES_MAX = 100_000;
/** So many characters of values and templates cost as much as a piece. */
const CHARS_OF_PIECE = 1000;
/** Addresses that only need the site's root: the links say where they lead. */
const ROOT = /^site\.(?:baseurl|url)$/;

interface State {
  readonly world: LiquidWorld;
  readonly names: Map<string, unknown>;
  readonly depth: number;
  /** Pieces that may still be looked at: loops in loops end, and so do parts that take in themselves. */
  readonly budget: { pieces: number };
}

/**
 * What Jekyll's Liquid writes, where the repository alone decides it: values of the settings, of `_data` and of the front matter, conditions, loops, parts of
 * HTML. A piece that needs more (other pages, the clock, a plugin) is left as it stands.
 */
export function* evaluated(source: string, world: LiquidWorld): Generator<Edit> {
  for (const found of inPage(source, parsed(source), {
    world,
    names: new Map(),
    depth: 0,
    budget: { pieces: PIECES_MAX },
  }))
    // What a value says is text, even if it looks like Liquid.
    yield /\{[{%]/.test(found.text) ? { ...found, text: `{% raw %}${found.text}{% endraw %}` } : found;
}

function* inPage(source: string, nodes: readonly Node[], state: State): Generator<Edit> {
  for (const node of nodes) {
    if (node.as === 'text') continue;
    const { start, end } = node;
    if (node.as === 'output') {
      if (ROOT.test(node.expression) || state.world.isRuled(node.expression)) continue;
      const value = valueOf(node.expression, scopeOf(state));
      if (value !== UNKNOWN) yield { start, end, text: shown(value) };
    } else if (node.as === 'tag') {
      const before = new Map(state.names);
      const text = tagText(node, state);
      if (text === UNKNOWN) forget(state.names, before, state.names, [node]);
      else yield { start, end, text };
    } else if (node.name === 'highlight') {
      for (const { nodes: inside } of node.branches) yield* inPage(source, inside, state);
    } else if (node.name === 'for' || node.name === 'capture') {
      const before = new Map(state.names);
      const text = blockText(source, node, state);
      if (text === UNKNOWN) forget(state.names, before, state.names, [node]);
      else yield { start, end, text };
    } else {
      const chosen = branchOf(node, state);
      if (chosen === UNKNOWN) {
        // Either may be shown: what they set is not known any more.
        const before = new Map(state.names);
        for (const { nodes: inside } of node.branches) {
          const names = new Map(before);
          yield* inPage(source, inside, { ...state, names });
          forget(state.names, before, names, inside);
        }
        continue;
      }
      if (chosen === undefined) {
        yield { start, end, text: '' };
        continue;
      }
      yield { start, end: chosen.from, text: '' };
      yield* inPage(source, chosen.nodes, state);
      yield { start: chosen.to, end, text: '' };
    }
  }
}

/** Names that pieces set which may be shown or not: nobody knows their values any more. */
function forget(
  names: Map<string, unknown>,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  nodes: readonly Node[],
): void {
  for (const [name, value] of after) if (before.get(name) !== value) names.set(name, UNKNOWN);
  for (const name of namesSet(nodes)) names.set(name, UNKNOWN);
}

function namesSet(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.as === 'tag') return node.name === 'assign' ? [assigned(node.words).name] : [];
    if (node.as !== 'block') return [];
    const inside = node.branches.flatMap((branch) => namesSet(branch.nodes));
    return node.name === 'capture' ? [capturedName(node.words), ...inside] : inside;
  });
}

/** Names of a loop or a part hide those outside of it. */
function hiding<Result>(
  names: Map<string, unknown>,
  hidden: readonly string[],
  render: () => Result,
): Result {
  const outside = hidden.map((name) => ({ name, has: names.has(name), value: names.get(name) }));
  const result = render();
  for (const { name, has, value } of outside)
    if (has) names.set(name, value);
    else names.delete(name);
  return result;
}

function scopeOf({ names, world, budget }: State): Scope {
  return (name, keys) => {
    const isWorld = /^(?:site|page|jekyll|layout|content|paginator|theme)$/.test(name);
    const value = names.has(name)
      ? below(names.get(name), keys)
      : isWorld
        ? world.value(name, keys)
        : undefined;
    if (value === UNKNOWN) return UNKNOWN;
    const chars = charsOf(value);
    budget.pieces -= Math.floor(Math.min(chars, CHARS_MAX) / CHARS_OF_PIECE);
    return chars > CHARS_MAX || budget.pieces < 0 ? UNKNOWN : value;
  };
}

/** All of it as text, or `UNKNOWN`. */
function rendered(source: string, nodes: readonly Node[], state: State): string | typeof UNKNOWN {
  let text = '';
  for (const node of nodes) {
    state.budget.pieces -= 1;
    if (state.budget.pieces < 0) return UNKNOWN;
    const piece =
      node.as === 'text'
        ? source.slice(node.start, node.end)
        : node.as === 'output'
          ? outputText(node.expression, state)
          : node.as === 'tag'
            ? node.name === 'raw'
              ? node.words
              : tagText(node, state)
            : blockText(source, node, state);
    if (piece === UNKNOWN) return UNKNOWN;
    text += piece;
    if (text.length > CHARS_MAX) return UNKNOWN;
  }
  return text;
}

function outputText(expression: string, state: State): string | typeof UNKNOWN {
  if (ROOT.test(expression)) return '';
  const value = valueOf(expression, scopeOf(state));
  return value === UNKNOWN ? UNKNOWN : shown(value);
}

function tagText(tag: Node & { readonly as: 'tag' }, state: State): string | typeof UNKNOWN {
  const { name, words } = tag;
  if (name === 'comment') return '';
  if (name === 'assign') {
    const { name: variable, expression } = assigned(words);
    if (variable === '') return UNKNOWN;
    const value = valueOf(expression, scopeOf(state));
    state.names.set(variable, value);
    return value === UNKNOWN ? UNKNOWN : '';
  }
  return name === 'include' ? includeText(words, state) : UNKNOWN;
}

function assigned(words: string): { readonly name: string; readonly expression: string } {
  const [, name = '', expression = ''] = /^([\w-]+)\s*=\s*([\s\S]*)$/.exec(words) ?? [];
  return { name, expression };
}

function capturedName(words: string): string {
  return words.replaceAll(/["']/g, '');
}

/** `{% include part.html name="text" other=page.value %}` */
function includeText(words: string, state: State): string | typeof UNKNOWN {
  const { world, names, depth, budget } = state;
  const [, computed, rest = words] = /^\{\{([^{}]+)\}\}([\s\S]*)$/.exec(words) ?? [];
  const named = computed === undefined ? undefined : valueOf(computed, scopeOf(state));
  const file = typeof named === 'string' ? named : (/^["']?([\w./-]+)/.exec(words)?.[1] ?? '');
  if (
    named === UNKNOWN ||
    !/\.(?:html?|md|markdown|txt)$/i.test(file) ||
    // Jekyll takes no file from outside the folder.
    /(?:^|\/)\.{0,2}\//.test(file) ||
    world.isRuled(file) ||
    depth > DEPTH_MAX
  )
    return UNKNOWN;
  const template = world.include(file);
  if (template === undefined) return UNKNOWN;
  const given = new Map<string, unknown>();
  for (const [, name = '', written = ''] of rest.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)/g)) {
    const value = valueOf(written, scopeOf(state));
    if (value === UNKNOWN) return UNKNOWN;
    given.set(name, value);
  }
  budget.pieces -= Math.floor(template.length / CHARS_OF_PIECE);
  const text = hiding(names, ['include'], () => {
    names.set('include', Object.fromEntries(given));
    return rendered(template, parsed(template), { ...state, depth: depth + 1 });
  });
  if (text === UNKNOWN || /<(?:script|style|iframe|form)\b/i.test(text)) return UNKNOWN;
  return /\.html?$/i.test(file) ? asBlock(text) : text.trim();
}

/** HTML of a template in Markdown. */
function asBlock(html: string): string {
  const isMarkdown = !/<pre\b/i.test(html) && /\n\n\S/.test(html.trim());
  return isMarkdown ? html.trim() : asOneBlock(html);
}

function blockText(source: string, block: Block, state: State): string | typeof UNKNOWN {
  const [first] = block.branches;
  if (first === undefined) return UNKNOWN;
  if (block.name === 'capture') {
    const text = rendered(source, first.nodes, state);
    state.names.set(capturedName(block.words), text);
    return text === UNKNOWN ? UNKNOWN : '';
  }
  if (block.name === 'highlight') {
    const code = rendered(source, first.nodes, state);
    return code === UNKNOWN ? UNKNOWN : highlighted(code, block.words);
  }
  if (block.name === 'for') return loopText(source, block, state);
  const chosen = branchOf(block, state);
  if (chosen === UNKNOWN) return UNKNOWN;
  return chosen === undefined ? '' : rendered(source, chosen.nodes, state);
}

/** `{% highlight ruby linenos %}` (https://jekyllrb.com/docs/liquid/tags/#code-snippet-highlighting). */
function highlighted(code: string, words: string): string {
  const [language = ''] = words.split(/\s+/);
  const lines = code.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return `<pre><code class="language-${escapedHtml(language)}">${escapedHtml(lines)}\n</code></pre>`;
}

function loopText(source: string, { words, branches }: Block, state: State): string | typeof UNKNOWN {
  const [body, otherwise] = branches;
  const [, name, from = '', rest = ''] = /^([\w-]+)\s+in\s+(\([^)]*\)|\S+)([\s\S]*)$/.exec(words) ?? [];
  if (name === undefined || body === undefined) return UNKNOWN;
  const value = valueOf(from, scopeOf(state));
  if (value === UNKNOWN) return UNKNOWN;
  const all: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : typeof value === 'string' && value !== ''
        ? [value]
        : [];
  const limit = countAt('limit', rest, state) ?? all.length;
  const offset = countAt('offset', rest, state) ?? 0;
  if (limit === UNKNOWN || offset === UNKNOWN) return UNKNOWN;
  const part = all.slice(offset, offset + limit);
  const items = /\breversed\b/.test(rest) ? part.toReversed() : part;
  if (items.length === 0) return otherwise === undefined ? '' : rendered(source, otherwise.nodes, state);
  const { names } = state;
  const parentloop = names.get('forloop');
  return hiding(names, [name, 'forloop'], () => {
    let text = '';
    for (const [index, item] of items.entries()) {
      names.set(name, item);
      names.set('forloop', {
        index: index + 1,
        index0: index,
        rindex: items.length - index,
        rindex0: items.length - index - 1,
        first: index === 0,
        last: index === items.length - 1,
        length: items.length,
        parentloop,
      });
      const piece = rendered(source, body.nodes, state);
      if (piece === UNKNOWN || text.length > CHARS_MAX) return UNKNOWN;
      text += piece;
    }
    return text;
  });
}

/** `limit:3`, `offset: page.first` */
function countAt(key: string, words: string, state: State): number | undefined | typeof UNKNOWN {
  const [, written] = new RegExp(`\\b${key}\\s*:\\s*([^\\s,]+)`).exec(words) ?? [];
  if (written === undefined) return undefined;
  const value = valueOf(written, scopeOf(state));
  return typeof value === 'number' ? value : UNKNOWN;
}

/** The branch that is shown; undefined: none. */
function branchOf({ name, words, branches }: Block, state: State): Branch | undefined | typeof UNKNOWN {
  const scope = scopeOf(state);
  const subject = name === 'case' ? valueOf(words, scope) : undefined;
  if (subject === UNKNOWN) return UNKNOWN;
  for (const branch of branches) {
    if (branch.name === 'case') continue;
    if (branch.name === 'else') return branch;
    if (branch.name === 'when') {
      const wanted = branch.words.split(/\s*,\s*|\s+or\s+/).map((word) => valueOf(word, scope));
      if (wanted.includes(UNKNOWN)) return UNKNOWN;
      if (wanted.includes(subject)) return branch;
      continue;
    }
    const holds = isTrue(branch.words, scope);
    if (holds === UNKNOWN) return UNKNOWN;
    if (holds !== (branch.name === 'unless')) return branch;
  }
  return undefined;
}
