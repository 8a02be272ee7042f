import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import { nodesOf, parsedModule } from '../estree.ts';
import type { Node } from '../estree.ts';
import { astroComponent, parsedAstro } from './astro.ts';
import { valueOf } from './evaluate.ts';
import { scopeIn } from './scope.ts';
import type { Scope, World } from './scope.ts';
import { changedNames, declarations, entryOf, importOf, importsOf, nodeNamed } from './declarations.ts';
import type { Declared } from './declarations.ts';
import { filesIn } from './module-files.ts';
import type { ReadText } from './module-files.ts';
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

/** A file that is one component. */
function ofDefault(component: Value): Module {
  return { value: (name) => (name === 'default' ? component : UNKNOWN) };
}

function jsonModule(text: string): Module | undefined {
  try {
    const value = jsonValue(JSON.parse(text));
    return { value: (name) => (name === 'default' ? value : UNKNOWN) };
  } catch {
    return undefined;
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
