import { keyOf, nodeOf, nodesOf, parsedModule, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import { valueOf } from './evaluate.ts';
import { scopeIn } from './scope.ts';
import type { Scope } from './scope.ts';
import { statements } from './statements.ts';
import { firstState, isCallable, isList, isMapping, partial, UNKNOWN, unref } from './values.ts';
import type { Callable, Mapping, Value } from './values.ts';
import { vueFile } from './vue-template.ts';

/** A file of Vue whose template and script are read; it is the same for all pages. */
export interface ParsedVue {
  readonly script: readonly Node[];
  readonly template: Node;
  readonly isSetup: boolean;
}

/** Undefined: there is no template that can be read. */
export function parsedVue(source: string): ParsedVue | undefined {
  const { template, script, isSetup } = vueFile(source);
  const page = template === undefined ? undefined : parsedModule(`(${template})`);
  const program = parsedModule(script);
  const [root] = page === undefined ? [] : nodesOf(page, 'body');
  const shown = root === undefined ? undefined : nodeOf(root, 'expression');
  if (shown === undefined || program === undefined) return undefined;
  return { script: nodesOf(program, 'body'), template: shown, isSetup };
}

/**
 * A component of Vue (https://vuejs.org/guide/scaling-up/sfc.html): what its template shows of what it is given, before any script of a browser changes it. `outer` is the scope that names of
 * other files are looked up in.
 */
export function vueComponent({ script, template, isSetup }: ParsedVue, outer: Scope): Callable {
  return {
    as: 'function',
    call: ([given]) => {
      if (!isMapping(given)) return UNKNOWN;
      const properties: Mapping = new Map(
        [...given].filter(([name]) => name !== 'children' && name !== '$slots'),
      );
      const named = given.get('$slots');
      const slots = new Map<string, Value>(isMapping(named) ? named : []);
      if (slots.has('$unknown')) return UNKNOWN;
      if (given.has('children')) slots.set('default', given.get('children'));
      const inner = scopeIn(outer);
      const props = isSetup ? setUp(script, properties, slots, inner) : options(script, properties, inner);
      if (props === undefined) return UNKNOWN;
      return valueOf(template, templateScope(inner, props, slots));
    },
  };
}

/** In a template, the value of a `ref` has its name. */
function templateScope(script: Scope, props: Mapping, slots: Mapping): Scope {
  return {
    ...scopeIn(script),
    above: undefined,
    imported: (name) => {
      if (name === '$slots') return slots;
      if (name === '$props' || name === 'props')
        return script.names.has(name) ? (script.names.get(name) ?? props) : props;
      if (name === '$frontmatter') return script.world.frontMatter();
      if (script.names.has(name)) return unref(script.names.get(name));
      if (props.has(name)) return props.get(name);
      return unref(script.above?.imported?.(name) ?? UNKNOWN);
    },
  };
}

/** The properties after `<script setup>`; its names are those of the scope. Undefined: nobody knows how it ends. */
function setUp(
  script: readonly Node[],
  properties: Mapping,
  slots: Mapping,
  scope: Scope,
): Mapping | undefined {
  let props: Mapping = properties;
  const define: Callable = {
    as: 'function',
    call: ([declared]) => (props = declared === undefined ? props : withDeclared(properties, declared)),
  };
  const withDefaults: Callable = {
    as: 'function',
    call: ([, defaults]) => {
      if (!isMapping(defaults)) return (props = partial(new Map(props)));
      const all = new Map([...defaults].map(([name, value]) => [name, made(value)] as const));
      for (const [name, value] of props) if (value !== undefined) all.set(name, value);
      return (props = all);
    },
  };
  scope.names.set('defineProps', define);
  scope.names.set('withDefaults', withDefaults);
  scope.names.set('useSlots', { as: 'function', call: () => slots });
  if (!isRun(script, scope)) return undefined;
  const whole = new Map(props);
  for (const name of typedProperties(script)) if (!whole.has(name)) whole.set(name, undefined);
  return whole;
}

/** Fills the scope with what a script declares; false: a statement of it ends the script, or nobody knows what it does. */
function isRun(script: readonly Node[], scope: Scope): boolean {
  const own = script.filter(({ type }) => !/^(?:Import|Export)/.test(type));
  return statements(own, scope, valueOf) === undefined;
}

/** The names in `defineProps<{ title?: string }>()`, or of the type of this file that it names. */
function typedProperties(script: readonly Node[]): readonly string[] {
  for (const statement of script) {
    const made = nodesOf(statement, 'declarations')[0] ?? statement;
    const call = definingCall(nodeOf(made, 'init') ?? nodeOf(made, 'expression'));
    if (call === undefined) continue;
    const types = nodeOf(call, 'typeArguments') ?? nodeOf(call, 'typeParameters');
    const [type] = types === undefined ? [] : nodesOf(types, 'params');
    return type === undefined ? [] : membersOf(type, script);
  }
  return [];
}

/** `defineProps()`, also inside `withDefaults()`. */
function definingCall(call: Node | undefined): Node | undefined {
  if (call?.type !== 'CallExpression') return undefined;
  const name = textOf(nodeOf(call, 'callee'), 'name');
  return name === 'withDefaults'
    ? definingCall(nodesOf(call, 'arguments')[0])
    : name === 'defineProps'
      ? call
      : undefined;
}

function membersOf(type: Node, script: readonly Node[]): readonly string[] {
  if (type.type === 'TSTypeReference') {
    const name = textOf(nodeOf(type, 'typeName'), 'name');
    const its = script
      .map((each) => nodeOf(each, 'declaration') ?? each)
      .find(
        (each) =>
          /^TS(?:Interface|TypeAlias)Declaration$/.test(each.type) &&
          textOf(nodeOf(each, 'id'), 'name') === name,
      );
    const body = its === undefined ? undefined : (nodeOf(its, 'body') ?? nodeOf(its, 'typeAnnotation'));
    return body === undefined || body.type === 'TSTypeReference' ? [] : membersOf(body, script);
  }
  return [...nodesOf(type, 'members'), ...nodesOf(type, 'body')].flatMap((each) => keyOf(each) ?? []);
}

/** `defineProps({ size: { default: 'small' } })` and `props: ['size']` say which properties there are. */
function withDeclared(properties: Mapping, declared: Value): Mapping {
  const props = new Map(properties);
  if (isList(declared)) return props;
  if (!isMapping(declared)) return partial(props);
  for (const [name, said] of declared) {
    if (props.get(name) !== undefined) continue;
    props.set(name, isMapping(said) && said.has('default') ? made(said.get('default')) : undefined);
  }
  return props;
}

/** A default that a function makes. */
function made(value: Value): Value {
  return isCallable(value) ? value.call([]) : value;
}

/** `export default { props, data, computed }`: the names that a template has. */
function options(script: readonly Node[], properties: Mapping, scope: Scope): Mapping | undefined {
  const exported = script.find(({ type }) => type === 'ExportDefaultDeclaration');
  const declaration = exported === undefined ? undefined : nodeOf(exported, 'declaration');
  const [argument] = declaration?.type === 'CallExpression' ? nodesOf(declaration, 'arguments') : [];
  const object = argument ?? declaration;
  if (!isRun(script, scope)) return undefined;
  if (object === undefined) return properties;
  if (object.type !== 'ObjectExpression') return undefined;
  const entries = new Map(
    nodesOf(object, 'properties').flatMap((each) => {
      const [key, value] = [keyOf(each), nodeOf(each, 'value')];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  // What they give to the template is not followed.
  if (['setup', 'mixins', 'extends', 'render', 'asyncData'].some((key) => entries.has(key))) return undefined;
  const value = (key: string): Value => {
    const node = entries.get(key);
    return node === undefined ? undefined : valueOf(node, scope);
  };
  const props = new Map(entries.has('props') ? withDeclared(properties, value('props')) : properties);
  scope.names.set('this', partial(props));
  const data = value('data');
  const state = isCallable(data) ? data.call([partial(props)]) : undefined;
  const isChanged = ['created', 'beforeMount', 'mounted', 'watch'].some((key) => entries.has(key));
  if (isMapping(state))
    for (const [name, first] of state) props.set(name, isChanged ? UNKNOWN : firstState(first));
  const computed = value('computed');
  // Each may stand on others: those that were not made yet are not known to it.
  if (isMapping(computed))
    for (const [name, each] of computed)
      props.set(name, isCallable(each) ? each.call([partial(props)]) : UNKNOWN);
  return props;
}
