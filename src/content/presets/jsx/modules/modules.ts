import { posix } from 'node:path';
import { once } from '../../../../model/once.ts';
import type { Scope, World } from '../scope.ts';
import { isCallable, isMapping, partial, UNKNOWN, valueIn } from '../values.ts';
import type { Value } from '../values.ts';
import { declarations } from './declarations.ts';
import { fileScope } from './file-scope.ts';
import { filesIn } from './module-files.ts';
import type { ReadText } from './module-files.ts';
import { bodyOf, moduleOf } from './module-of.ts';
import type { Imported, Module, Repository } from './module.ts';

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

export function openModules(repository: Repository, world: World): Modules {
  const { open, textFor, imported } = openFiles(repository, world);
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
      return fileScope(file, { names: declarations(body).names, body }, { world, imported });
    },
  };
}

const SHARED = ['default', 'useMDXComponents', 'getMDXComponents', 'mdxComponents', 'components'];

interface OpenFiles {
  /** Undefined: it is not there, it cannot be read, or the page has read enough. */
  readonly open: (file: string) => Module | undefined;
  readonly textFor: ReadText;
  readonly imported: Imported;
}

/** The files that a page takes from, read within its budget and not too deep. */
function openFiles(repository: Repository, world: World): OpenFiles {
  const { readText, pathsOf } = repository;
  const files = filesIn(readText);
  const opened = new Map<string, Module | undefined>();
  // An answer that is known already is not seen to be asked for: the first look of a page is a real one, and the page is then known to depend on other files.
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
    const isRead = text !== undefined && text.length <= CHARS_MAX;
    const module = isRead ? moduleOf(file, text, { ...repository, world, files, imported }) : undefined;
    opened.set(file, module);
    return module;
  };
  const imported: Imported = (from, address, name) => {
    if (depth > DEPTH_MAX) return UNKNOWN;
    const plain = notOfModule({ from, address, name }, repository, textFor);
    if (plain !== undefined) return plain.value;
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
  return { open, textFor, imported };
}

/** The value of an import that is no module of the repository: an icon, the text of a file, the address of a picture. */
function notOfModule(
  { from, address, name }: { readonly from: string; readonly address: string; readonly name: string },
  { pathsOf, fromPage }: Repository,
  textFor: ReadText,
): { readonly value: Value } | undefined {
  if (ICONS.test(address)) return { value: ICON };
  const [, byQuery, byLoader] = TEXT_OF_FILE.exec(address) ?? [];
  const asText = byQuery ?? byLoader;
  if (asText !== undefined && name === 'default') {
    const [file] = pathsOf(from, asText);
    const text = file === undefined ? undefined : textFor(file);
    return { value: text === undefined || text.length > CHARS_MAX ? UNKNOWN : text };
  }
  if (!PICTURE.test(address)) return undefined;
  const [file] = pathsOf(from, address);
  return { value: file === undefined ? UNKNOWN : fromPage(file) };
}

/** Packages of pictures that say nothing. */
const ICONS =
  /^(?:lucide-react|react-icons\b|@heroicons\/|@tabler\/icons|@mui\/icons-material|@radix-ui\/react-icons|@phosphor-icons\/|@iconify)/;
const ICON: Value = { as: 'function', call: () => '' };
/** The text of a file: https://vite.dev/guide/assets#importing-asset-as-string, and https://docusaurus.io/docs/markdown-features/react#importing-code-snippets */
const TEXT_OF_FILE = /^(?!!!raw-loader!)([^?]+)\?raw$|^!!raw-loader!([^?]+)$/;
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|mp4|webm)$/i;

/** A look at the disk costs as much as many steps. */
const STEPS_OF_READING = 50;

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
