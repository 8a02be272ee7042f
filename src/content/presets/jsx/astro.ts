import { nodeOf, nodesOf, parsedModule } from '../estree.ts';
import type { Node } from '../estree.ts';
import { valueOf } from './evaluate.ts';
import { scopeIn } from './scope.ts';
import type { Scope } from './scope.ts';
import { statements } from './statements.ts';
import { isMapping, partial, UNKNOWN } from './values.ts';
import type { Mapping, Value } from './values.ts';

const FENCED = /^\s*---[^\S\n]*\n([\s\S]*?)\n---[^\S\n]*(?:\n|$)([\s\S]*)$/;

/** A file of Astro, the same for all pages. */
export interface ParsedAstro {
  readonly script: readonly Node[];
  readonly template: Node;
}

/** Undefined for a text that is none. */
export function parsedAstro(source: string): ParsedAstro | undefined {
  const [, script = '', template = source] = FENCED.exec(source) ?? [];
  const program = parsedModule(script);
  const page = parsedModule(`(<>${asJsx(template)}</>)`);
  const root = page === undefined ? undefined : nodesOf(page, 'body')[0];
  const fragment = root === undefined ? undefined : nodeOf(root, 'expression');
  if (program === undefined || fragment === undefined) return undefined;
  return { script: nodesOf(program, 'body'), template: fragment };
}

/**
 * A component of Astro (https://docs.astro.build/en/basics/astro-components/): constants above, a template below. `outer` is the scope that names of other files
 * are looked up in.
 */
export function astroComponent({ script, template }: ParsedAstro, outer: Scope): Value {
  return {
    as: 'function',
    call: ([given]) => {
      const properties: Mapping = isMapping(given) ? given : new Map();
      const scope = scopeIn(outer);
      const inner = properties.get('children');
      const has: Value = {
        as: 'function',
        call: ([slot]) => (slot === 'default' ? inner !== undefined : UNKNOWN),
      };
      const slots: Value = partial(new Map([['has', has]]));
      scope.names.set(
        'Astro',
        partial(
          new Map<string, Value>([
            ['props', properties],
            ['slots', slots],
          ]),
        ),
      );
      scope.names.set('slot', inner);
      const body = script.filter(({ type }) => type !== 'ImportDeclaration');
      const end = statements(body, scope, valueOf);
      return end === undefined ? valueOf(template, scope) : UNKNOWN;
    },
  };
}

/** What a template of Astro writes otherwise than JSX does. A template with an element that does not end stays as it is, and is no JSX. */
function asJsx(template: string): string {
  const plain = without(
    without(template, /<!--/g, () => '-->'),
    /<(?:style|script)\b/gi,
    (open) => `</${open.slice(1)}`,
  );
  return plain
    .replaceAll(/<!doctype[^<>]*>/gi, '')
    .replaceAll(VOID, (tag) => (tag.endsWith('/>') ? tag : `${tag.slice(0, -1)} />`))
    .replaceAll(/<slot *\/>|<slot> *<\/slot>/g, '{slot}')
    .replaceAll(/\sclass:list=\{[^{}]*\}/g, '')
    .trim();
}

/** Tags of elements that have no end, with values in quotes or braces. */
const VOID =
  /<(?:br|hr|img|input|source|track|wbr|meta|link)\b(?:"[^"<]{0,2000}"|'[^'<]{0,2000}'|\{[^{}<]{0,2000}\}|[^"'<>{}])*>/g;

/** Without all that begins so, to its end. */
function without(text: string, begin: RegExp, endOf: (begun: string) => string): string {
  let kept = '';
  let from = 0;
  const small = text.toLowerCase();
  for (const { 0: begun, index } of text.matchAll(begin)) {
    if (index < from) continue;
    const end = small.indexOf(endOf(begun.toLowerCase()), index);
    if (end < 0) break;
    kept += text.slice(from, index);
    from = text.indexOf('>', end) + 1;
    if (from === 0) return kept;
  }
  return kept + text.slice(from);
}
