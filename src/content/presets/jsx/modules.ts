import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import { keyOf, nodeOf, nodesOf, parsedModule, textOf } from '../estree.ts';
import type { Node } from '../estree.ts';
import { astroComponent, parsedAstro } from './astro.ts';
import { changesIn } from './changes.ts';
import { valueOf } from './evaluate.ts';
import { scopeIn } from './scope.ts';
import type { Scope, World } from './scope.ts';
import { bind, declare } from './statements.ts';
import { isCallable, isMapping, jsonValue, partial, UNKNOWN, valueIn } from './values.ts';
import type { Value } from './values.ts';
import { parsedVue, vueComponent } from './vue.ts';

/** The repository, as its modules see it. Paths count from the content folder. */
export interface Repository {
  /** Undefined: there is no such file. */
  readonly readText: (path: string) => string | undefined;
  /** Where the file that the address of an import means may lie, best first; without the ending if the address has none. */
  readonly pathsOf: (from: string, address: string) => readonly string[];
  /** The path of a file from the folder of the page. */
  readonly fromPage: (file: string) => string;
  /** The statements of a file of MDX, of which the rest is text. */
  readonly statementsOf: (text: string) => readonly string[];
}

/** Modules of the repository that a page takes components and values from. Each is read once. */
export interface Modules {
  /** What `file` exports under a name. */
  readonly exported: (file: string, name: string) => Value;
  /** The component that the first file that is there gives to all pages: of its default, or of what its function returns (`useMDXComponents`). */
  readonly shared: (paths: readonly string[], name: string) => Value;
  /** A file of Markdown that the same place gives to all pages by this name; undefined: it gives none. */
  readonly sharedPart: (paths: readonly string[], name: string) => string | undefined;
  /** What a file knows by a name, exported or not. */
  readonly local: (file: string, name: string) => Value;
  /** The names that the statements of a page declare and import. */
  readonly pageScope: (file: string, statements: readonly string[]) => Scope;
}

const FILES_MAX = 40;
const CHARS_MAX = 200_000;
const DEPTH_MAX = 6;

export function openModules(
  { readText, pathsOf, fromPage, statementsOf }: Repository,
  world: World,
): Modules {
  const files = filesIn(readText);
  const opened = new Map<string, Module | undefined>();
  // An answer that is known already is not seen to be asked for: the first look of a page is a real one, so that the page is known to stand on other files.
  const looked = once(() => void readText('tsconfig.json'));
  const textFor: ReadText = (file) => {
    looked();
    return files.text(file);
  };
  let depth = 0;
  let found = 0;

  const open = (file: string): Module | undefined => {
    if (opened.has(file)) return opened.get(file);
    // A circle of imports finds nothing here.
    opened.set(file, undefined);
    world.budget.steps -= STEPS_OF_READING;
    const text = found > FILES_MAX || world.budget.steps < 0 ? undefined : textFor(file);
    if (text !== undefined) found += 1;
    const module = text === undefined || text.length > CHARS_MAX ? undefined : moduleOf(file, text);
    opened.set(file, module);
    return module;
  };
  const moduleOf = (file: string, text: string): Module | undefined => {
    if (file.endsWith('.json')) return jsonModule(text);
    world.budget.steps -= Math.floor(text.length / 50);
    if (file.endsWith('.astro')) {
      const parsed = files.parsed(file, text, parsedAstro);
      return parsed === undefined
        ? undefined
        : ofDefault(astroComponent(parsed, fileScope(file, importsOf(parsed.script))));
    }
    if (file.endsWith('.vue')) {
      const parsed = files.parsed(file, text, parsedVue);
      return parsed === undefined
        ? undefined
        : ofDefault(vueComponent(parsed, fileScope(file, importsOf(parsed.script))));
    }
    if (file.endsWith('.mdx')) return scriptModule(bodyOf(statementsOf(text)), file);
    const program = files.parsed(file, text, parsedModule);
    return program === undefined ? undefined : scriptModule(nodesOf(program, 'body'), file);
  };
  const imported = (from: string, address: string, name: string): Value => {
    if (depth > DEPTH_MAX) return UNKNOWN;
    if (ICONS.test(address)) return ICON;
    const [, byQuery, byLoader] = TEXT_OF_FILE.exec(address) ?? [];
    const asText = byQuery ?? byLoader;
    if (asText !== undefined && name === 'default') {
      const [file] = pathsOf(from, asText);
      const text = file === undefined ? undefined : textFor(file);
      return text === undefined || text.length > CHARS_MAX ? UNKNOWN : text;
    }
    if (PICTURE.test(address)) {
      const [file] = pathsOf(from, address);
      return file === undefined ? UNKNOWN : fromPage(file);
    }
    depth += 1;
    try {
      const file = pathsOf(from, address)
        .flatMap(withEndings)
        .find((each) => open(each) !== undefined);
      return file === undefined ? UNKNOWN : (open(file)?.value(name) ?? UNKNOWN);
    } finally {
      depth -= 1;
    }
  };
  const scriptModule = (body: readonly Node[], file: string): Module => {
    const { names, exports, stars } = declarations(body);
    const scope = fileScope(file, names, body);
    return {
      local: (name) => scope.imported?.(name) ?? UNKNOWN,
      entry(exported, key) {
        const its = exports.get(exported);
        const node = its === undefined ? undefined : 'node' in its ? its.node : nodeNamed(names, its);
        const entry = node === undefined ? undefined : entryOf(node, key);
        const from = entry === undefined ? undefined : importOf(names, entry);
        if (from !== undefined && MARKDOWN.test(from)) return { part: pathsOf(file, from)[0] ?? from };
        return entry === undefined ? undefined : { value: valueOf(entry, scope) };
      },
      value(name) {
        const its = exports.get(name);
        if (its === undefined) {
          const [star] = stars;
          return star === undefined || stars.length > 1 ? UNKNOWN : imported(file, star, name);
        }
        if ('from' in its) return imported(file, its.from, its.name);
        if ('node' in its) return valueOf(its.node, scope);
        return scope.imported?.(its.local) ?? UNKNOWN;
      },
    };
  };
  /** Names of a file are looked up when they are asked for: it may hold much that no page needs. */
  const fileScope = (file: string, names: readonly Declared[], body: readonly Node[] = []): Scope => {
    const known = new Map<string, Value>();
    const changed = once(() => changedNames(body, scope));
    const byName = new Map(names.map((each) => [each.local, each]));
    const look = (name: string): Value => {
      const its = byName.get(name);
      if (its === undefined || changed().has(name)) return UNKNOWN;
      if ('from' in its) return imported(file, its.from, its.name);
      const inner = scopeIn(scope);
      if ('pattern' in its) bind(its.pattern, valueOf(its.init, scope), inner, valueOf);
      else declare(its.node, inner, valueOf);
      return inner.names.get(name);
    };
    const scope: Scope = {
      names: new Map(),
      states: new Map(),
      above: undefined,
      world,
      imported: (name) => {
        if (!known.has(name)) {
          known.set(name, UNKNOWN);
          known.set(name, look(name));
        }
        return known.get(name);
      },
    };
    return scope;
  };
  const sharedModule = (paths: readonly string[]): Module | undefined => {
    const file = paths.flatMap(withEndings).find((each) => textFor(each) !== undefined);
    return file === undefined ? undefined : open(file);
  };
  return {
    local: (file, name) => open(file)?.local?.(name) ?? UNKNOWN,
    exported: (file, name) => open(file)?.value(name) ?? UNKNOWN,
    shared(paths, name) {
      const module = sharedModule(paths);
      if (module === undefined) return UNKNOWN;
      for (const exported of SHARED) {
        const entry = module.entry?.(exported, name);
        if (entry !== undefined) return entry.value ?? UNKNOWN;
        const its = module.value(exported);
        const given = isCallable(its) ? its.call([partial(new Map())]) : its;
        if (isMapping(given)) return valueIn(given, name);
      }
      return UNKNOWN;
    },
    sharedPart(paths, name) {
      const module = sharedModule(paths);
      for (const exported of SHARED) {
        const entry = module?.entry?.(exported, name);
        if (entry !== undefined) return entry.part;
      }
      return undefined;
    },
    pageScope(file, written) {
      const body = bodyOf(written);
      return fileScope(file, declarations(body).names, body);
    },
  };
}

function bodyOf(statements: readonly string[]): readonly Node[] {
  return statements.flatMap((statement) => {
    const program = parsedModule(statement);
    return program === undefined ? [] : nodesOf(program, 'body');
  });
}

/** Packages of pictures that say nothing. */
const ICONS =
  /^(?:lucide-react|react-icons\b|@heroicons\/|@tabler\/icons|@mui\/icons-material|@radix-ui\/react-icons|@phosphor-icons\/|@iconify)/;
const ICON: Value = { as: 'function', call: () => '' };
/** The text of a file: https://vite.dev/guide/assets#importing-asset-as-string, and https://docusaurus.io/docs/markdown-features/react#importing-code-snippets */
const TEXT_OF_FILE = /^(?!!!raw-loader!)([^?]+)\?raw$|^!!raw-loader!([^?]+)$/;
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|mp4|webm)$/i;

const SHARED = ['default', 'useMDXComponents', 'getMDXComponents', 'mdxComponents', 'components'];

type ReadText = Repository['readText'];

interface Files {
  readonly text: ReadText;
  readonly parsed: <T extends object>(
    file: string,
    text: string,
    parse: (text: string) => T | undefined,
  ) => T | undefined;
}

const FILES = new WeakMap<ReadText, Files>();

/** Many pages take components from one file: it is looked for and parsed once as long as files are read in the same way. */
function filesIn(readText: ReadText): Files {
  const known = FILES.get(readText);
  if (known !== undefined) return known;
  const texts = new Map<string, string | undefined>();
  const parsed = new Map<string, object | undefined>();
  const files: Files = {
    text(file) {
      if (!texts.has(file)) texts.set(file, readText(file));
      return texts.get(file);
    },
    parsed<T extends object>(file: string, text: string, parse: (text: string) => T | undefined) {
      if (!parsed.has(file)) parsed.set(file, parse(text));
      // The ending of a file decides how it is parsed: always in the same way.
      return parsed.get(file) as T | undefined;
    },
  };
  FILES.set(readText, files);
  return files;
}

/** A look at the disk costs as much as many steps. */
const STEPS_OF_READING = 50;

interface Module {
  readonly value: (name: string) => Value;
  readonly local?: (name: string) => Value;
  /** What an object that is exported holds by a key, without a look at its other keys: a value, or a file of Markdown. Undefined: it does not say so itself. */
  readonly entry?: (exported: string, key: string) => Entry | undefined;
}

interface Entry {
  readonly value?: Value;
  readonly part?: string;
}

const MARKDOWN = /\.mdx?$/i;

/** What is declared by the name that is exported. */
function nodeNamed(names: readonly Declared[], exported: Exported): Node | undefined {
  const its = 'local' in exported ? names.find(({ local }) => local === exported.local) : undefined;
  if (its === undefined || 'from' in its) return undefined;
  return 'node' in its ? its.node : its.pattern.type === 'Identifier' ? its.init : undefined;
}

/** The file that a name is imported from, whose default it is. */
function importOf(names: readonly Declared[], node: Node): string | undefined {
  const name = node.type === 'Identifier' ? textOf(node, 'name') : undefined;
  const its = name === undefined ? undefined : names.find(({ local }) => local === name);
  return its !== undefined && 'from' in its && its.name === 'default' ? its.from : undefined;
}

const WRAPPED = /^(?:ParenthesizedExpression|TS(?:As|Satisfies|NonNull)Expression)$/;

/** The value of a key in an object, or in the one that a function returns. Undefined if a spread behind it may say otherwise. */
function entryOf(node: Node, key: string): Node | undefined {
  if (WRAPPED.test(node.type)) {
    const inner = nodeOf(node, 'expression');
    return inner === undefined ? undefined : entryOf(inner, key);
  }
  if (node.type === 'ObjectExpression') {
    const properties = nodesOf(node, 'properties');
    const at = properties.findLastIndex((each) => each.type !== 'SpreadElement' && keyOf(each) === key);
    const isLast = properties.slice(at + 1).every(({ type }) => type !== 'SpreadElement');
    const property = at >= 0 && isLast ? properties[at] : undefined;
    return property === undefined ? undefined : nodeOf(property, 'value');
  }
  const body = /Function/.test(node.type) ? nodeOf(node, 'body') : undefined;
  if (body?.type !== 'BlockStatement') return body === undefined ? undefined : entryOf(body, key);
  const [only, ...more] = nodesOf(body, 'body');
  const returned = only?.type === 'ReturnStatement' ? nodeOf(only, 'argument') : undefined;
  return returned === undefined || more.length > 0 ? undefined : entryOf(returned, key);
}

/** A file that is one component. */
function ofDefault(component: Value): Module {
  return { value: (name) => (name === 'default' ? component : UNKNOWN) };
}

function importsOf(body: readonly Node[]): readonly Declared[] {
  return declarations(body.filter(({ type }) => type === 'ImportDeclaration')).names;
}

function jsonModule(text: string): Module | undefined {
  try {
    const value = jsonValue(JSON.parse(text));
    return { value: (name) => (name === 'default' ? value : UNKNOWN) };
  } catch {
    return undefined;
  }
}

/** A name of a file: from another file, of a pattern with its value, or a function. */
type Declared =
  | { readonly local: string; readonly from: string; readonly name: string }
  | { readonly local: string; readonly pattern: Node; readonly init: Node }
  | { readonly local: string; readonly node: Node };

type Exported =
  | { readonly from: string; readonly name: string }
  | { readonly node: Node }
  | { readonly local: string };

function declarations(body: readonly Node[]): {
  readonly names: readonly Declared[];
  readonly exports: ReadonlyMap<string, Exported>;
  readonly stars: readonly string[];
} {
  const names: Declared[] = [];
  const exports = new Map<string, Exported>();
  const stars: string[] = [];
  for (const statement of body) {
    const from = sourceOf(statement);
    switch (statement.type) {
      case 'ImportDeclaration':
        if (from !== undefined) names.push(...importedNames(statement, from));
        break;
      case 'ExportAllDeclaration':
        if (from !== undefined) stars.push(from);
        break;
      case 'ExportDefaultDeclaration': {
        const its = nodeOf(statement, 'declaration');
        const local = its?.type === 'Identifier' ? textOf(its, 'name') : undefined;
        if (local !== undefined) exports.set('default', { local });
        else if (its !== undefined) exports.set('default', { node: its });
        if (its !== undefined && DECLARED.test(its.type)) names.push(...declaredNames(its));
        break;
      }
      case 'ExportNamedDeclaration': {
        const declaration = nodeOf(statement, 'declaration');
        for (const each of declaration === undefined ? [] : declaredNames(declaration)) {
          names.push(each);
          exports.set(each.local, { local: each.local });
        }
        for (const specifier of nodesOf(statement, 'specifiers')) {
          const local = textOf(nodeOf(specifier, 'local'), 'name');
          const name = textOf(nodeOf(specifier, 'exported'), 'name');
          if (local !== undefined && name !== undefined)
            exports.set(name, from === undefined ? { local } : { from, name: local });
        }
        break;
      }
      default:
        names.push(...declaredNames(statement));
    }
  }
  return { names, exports, stars };
}

/**
 * Names of a file that do not keep the value of their declaration: a statement of the file changes them (`Badge.defaultProps = …`, `rows.push(…)`), or
 * a function of the file gives a variable another one.
 */
function changedNames(body: readonly Node[], scope: Scope): ReadonlySet<string> {
  const changed = new Set<string>();
  const variables = new Set<string>();
  for (const statement of body) {
    const declaration = nodeOf(statement, 'declaration') ?? statement;
    if (declaration.type === 'VariableDeclaration' && textOf(declaration, 'kind') !== 'const')
      for (const { local } of declaredNames(declaration)) variables.add(local);
    if (STATEMENT.test(statement.type) && !isLabel(statement)) changesIn(statement, changed, scope);
  }
  if (variables.size === 0) return changed;
  const assigned = new Set<string>();
  for (const statement of body) changesIn(statement, assigned, scope);
  return new Set([...changed, ...[...variables].filter((name) => assigned.has(name))]);
}

/** Neither declares, nor imports, nor exports. */
const STATEMENT = /^(?!TS|Import|Export|Empty).*Statement$/;

/** `Badge.displayName = …` */
function isLabel(statement: Node): boolean {
  const expression = nodeOf(statement, 'expression');
  const left = expression === undefined ? undefined : nodeOf(expression, 'left');
  const name = left === undefined ? undefined : textOf(nodeOf(left, 'property'), 'name');
  return name === 'displayName' || name === 'propTypes';
}

function sourceOf(statement: Node): string | undefined {
  const source = nodeOf(statement, 'source');
  return source === undefined ? undefined : textOf(source, 'value');
}

function importedNames(statement: Node, from: string): readonly Declared[] {
  return nodesOf(statement, 'specifiers').flatMap((specifier): readonly Declared[] => {
    const local = textOf(nodeOf(specifier, 'local'), 'name');
    const isAll = specifier.type === 'ImportNamespaceSpecifier';
    if (local === undefined || isAll) return [];
    return [{ local, from, name: textOf(nodeOf(specifier, 'imported'), 'name') ?? 'default' }];
  });
}

const DECLARED = /^(?:Function|Class)Declaration$/;

function declaredNames(declaration: Node): readonly Declared[] {
  if (DECLARED.test(declaration.type)) {
    const local = textOf(nodeOf(declaration, 'id'), 'name');
    return local === undefined ? [] : [{ local, node: declaration }];
  }
  if (declaration.type !== 'VariableDeclaration') return [];
  return nodesOf(declaration, 'declarations').flatMap((each): readonly Declared[] => {
    const [pattern, init] = [nodeOf(each, 'id'), nodeOf(each, 'init')];
    if (pattern === undefined || init === undefined) return [];
    return namesOf(pattern).map((local) => ({ local, pattern, init }));
  });
}

function namesOf(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [textOf(pattern, 'name') ?? ''];
    case 'ObjectPattern':
      return nodesOf(pattern, 'properties').flatMap((property) => {
        const value = nodeOf(property, 'value') ?? nodeOf(property, 'argument');
        return value === undefined ? [] : namesOf(value);
      });
    case 'ArrayPattern':
      return nodesOf(pattern, 'elements').flatMap(namesOf);
    case 'AssignmentPattern': {
      const left = nodeOf(pattern, 'left');
      return left === undefined ? [] : namesOf(left);
    }
    default:
      return [];
  }
}

const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.mjs', '.astro', '.json'];

/** The files that an address without an ending may mean. */
function withEndings(path: string): readonly string[] {
  const whole = posix.normalize(path);
  const bare = /\.(?:[cm]?tsx?|jsx?|mjs|mdx|astro|vue|json)$/.test(whole) ? [whole] : [];
  // TypeScript writes the ending of the file that it becomes.
  const written = whole.replace(/\.(m?)js(x?)$/, '.$1ts$2');
  return [
    ...bare,
    ...(written === whole ? [] : [written]),
    ...ENDINGS.slice(1).map((ending) => whole + ending),
    ...ENDINGS.slice(1, 5).map((ending) => posix.join(whole, `index${ending}`)),
  ];
}
