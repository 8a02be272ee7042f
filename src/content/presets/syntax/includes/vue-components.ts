import { posix } from 'node:path';
import { escapedHtml } from '../../../../text/escaped-html.ts';
import { literalPattern } from '../../../../text/literal-pattern.ts';
import { asOneBlock } from '../../html-block.ts';
import { htmlFrom } from '../../jsx/elements.ts';
import { valueOf } from '../../jsx/evaluate.ts';
import type { Modules } from '../../jsx/modules/modules.ts';
import { scopeIn } from '../../jsx/scope.ts';
import type { Scope } from '../../jsx/scope.ts';
import { teamPart } from '../../jsx/vitepress-team.ts';
import { isCallable, isHtml, UNKNOWN, unref } from '../../jsx/values.ts';
import type { Value } from '../../jsx/values.ts';
import { componentName, slotsIn, vueTagJsx } from '../../jsx/vue-template.ts';
import { codeIn, inRanges } from '../code-ranges.ts';
import { asWritten, elementsWithText } from '../families/vue.ts';
import { outsideComments } from '../families/components.ts';
import { apart, componentsIn, expressionOf, modulesOf } from './components.ts';
import type { Look } from './components.ts';
import type { IncludeForm, IncludingPage, Inclusion } from './form.ts';

/**
 * Components of Vue that the repository itself defines, imported by the page (`<script setup>`) or given to all pages (`app.component(…)` of the theme, `.vuepress/components`,
 * folders of unplugin-vue-components), and what `{{ name }}` of the page's script shows. A component that needs a browser, a request or a package stays unknown.
 */
export const VUE_COMPONENTS: IncludeForm = {
  name: 'vue',
  *find(text, page) {
    if (!/<[A-Za-z]|\{\{/.test(text)) return;
    const isFenced = outsideComments(text, inRanges(codeIn(text, false).all));
    const isWritten = inRanges(asWritten(text, isFenced));
    const isCode = (offset: number): boolean => isFenced(offset) || isWritten(offset);
    const scripts = scriptsIn(text, isCode);
    const modules = modulesOf(page);
    const scope = pageScope(modules.pageScope(page.file, scripts));
    const known = new Map<string, Value>();
    const look: Look = {
      page,
      scope,
      isComponent: (name) => /^[A-Z][\w]*$|^[a-z][\w]*-[\w-]+$/.test(name),
      nameOf: componentName,
      slotsIn: (inner) => slotsIn(inner, outsideComments(inner, inRanges(codeIn(inner, false).all))),
      elementOf: (written, _, inner, slots) => {
        const jsx = vueTagJsx(written, inner, slots);
        return jsx === undefined ? undefined : expressionOf(`<>${jsx}</>`);
      },
      shared: (name) => {
        if (!known.has(name)) known.set(name, registered(name, page, modules));
        return known.get(name);
      },
      sharedPart: () => undefined,
    };
    yield* componentsIn(text, isCode, look, 0);
    if (scripts.length > 0) yield* expressionsIn(text, isCode, look);
    yield* filledElements(text, isCode, look);
  },
};

/** What stands in the `<script>` of a page. */
function scriptsIn(text: string, isCode: (offset: number) => boolean): readonly string[] {
  const scripts: string[] = [];
  let behind = 0;
  for (const { 0: open, index } of text.matchAll(/^<script\b[^<>]*>/gm)) {
    if (index < behind || isCode(index)) continue;
    const start = index + open.length;
    const end = text.indexOf('</script>', start);
    if (end < 0) break;
    scripts.push(text.slice(start, end));
    behind = end;
  }
  return scripts;
}

/** In a page, the value of a `ref` has its name. */
function pageScope(script: Scope): Scope {
  return {
    ...scopeIn(script),
    above: undefined,
    imported: (name) => {
      if (/^\$?frontmatter$/.test(name)) {
        const own = unref(script.imported?.(name) ?? UNKNOWN);
        return own === UNKNOWN ? script.world.frontMatter() : own;
      }
      const its = unref(script.imported?.(name) ?? UNKNOWN);
      if (its !== UNKNOWN || script.world.hasRule(name)) return its;
      return teamPart(name, script) ?? its;
    },
  };
}

function* expressionsIn(
  text: string,
  isCode: (offset: number) => boolean,
  { scope, page }: Look,
): Generator<Inclusion> {
  for (const { 0: whole, 1: written = '', index } of text.matchAll(/\{\{([^{}\n]{1,500})\}\}/g)) {
    if (isCode(index) || Object.hasOwn(page.rules, written.trim())) continue;
    const expression = expressionOf(written);
    const shown = expression === undefined ? UNKNOWN : htmlFrom(valueOf(expression, scope), scope);
    if (page.budget.steps < 0) return;
    const end = index + whole.length;
    if (isHtml(shown)) yield { start: index, end, text: apart(shown.html, text, index, end) };
  }
}

/** `<div v-html="name"></div>`: the element with what the page's script gives it (https://vuejs.org/api/built-in-directives#v-html). */
function* filledElements(
  text: string,
  isCode: (offset: number) => boolean,
  { scope, page }: Look,
): Generator<Inclusion> {
  for (const { start, end, name, attributes, kind, expression } of elementsWithText(text, isCode)) {
    if (Object.hasOwn(page.rules, expression)) continue;
    const parsed = expressionOf(expression);
    const value = parsed === undefined ? UNKNOWN : unref(valueOf(parsed, scope));
    if (page.budget.steps < 0) return;
    if (typeof value !== 'string') continue;
    const inside = kind === 'html' ? asOneBlock(value) : escapedHtml(value);
    yield { start, end, text: `<${name}${attributes}>${inside}</${name}>` };
  }
}

const LEVELS = ['', '../', '../../'];
const THEMES = LEVELS.flatMap((level) =>
  [
    '.vitepress/theme/index',
    '.vuepress/client',
    '.vuepress/enhanceApp',
    '.vuepress/theme/enhanceApp',
    '.vuepress/theme/client',
  ].flatMap((name) => ['ts', 'mts', 'js', 'mjs'].map((form) => `${level}${name}.${form}`)),
);
const SETTINGS = LEVELS.flatMap((level) =>
  ['.vitepress/config', '.vitepress/config/index', 'vite.config'].flatMap((name) =>
    ['ts', 'mts', 'js', 'mjs'].map((form) => `${level}${name}.${form}`),
  ),
);

/** What every page has by this name. */
function registered(name: string, { page }: IncludingPage, modules: Modules): Value {
  const { theme, folders } = placesIn(page.readText);
  if (theme !== undefined) {
    const its = ofTheme(name, theme, modules);
    if (isCallable(its)) return its;
  }
  for (const folder of folders) {
    const its = modules.exported(`${folder}/${name}.vue`, 'default');
    if (isCallable(its)) return its;
  }
  return UNKNOWN;
}

interface Places {
  readonly theme: FoundFile | undefined;
  readonly folders: readonly string[];
}

const PLACES = new WeakMap<ReadText, Places>();

/** The same for all pages, as long as files are read in the same way. */
function placesIn(readText: ReadText): Places {
  const known = PLACES.get(readText) ?? {
    theme: firstFile(THEMES, readText),
    folders: componentFolders(readText),
  };
  PLACES.set(readText, known);
  return known;
}

/**
 * `app.component('Name', Name)`, also by `defineAsyncComponent(() => import('./Name.vue'))`, and `import Name from './Name.vue'` of a theme that hands it to
 * a function or a loop of its own.
 */
function ofTheme(name: string, { path, text }: FoundFile, modules: Modules): Value {
  const kebab = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase();
  const called = new RegExp(
    String.raw`\.component\(\s*['"](?:${literalPattern(name)}|${literalPattern(kebab)})['"]\s*,\s*(?:([\w$]+)\s*[,)]|[^;]{0,60}?import\(\s*['"]([^'"\n]+\.vue)['"])`,
  ).exec(text);
  const [, local, file] = called ?? [];
  if (local !== undefined) return modules.local(path, local);
  if (file?.startsWith('.') === true)
    return modules.exported(posix.join(posix.dirname(path), file), 'default');
  return isHandedOn(name, text) ? modules.local(path, name) : UNKNOWN;
}

/** An import of that name from a file of Vue, and the name alone as a value: `{ components: { Name } }`, `[Name, Other]`. */
function isHandedOn(name: string, text: string): boolean {
  const word = literalPattern(name);
  return (
    new RegExp(String.raw`^[ \t]*import\s+${word}\s+from\s*['"]\.[^'"\n]*\.vue['"]`, 'm').test(text) &&
    new RegExp(String.raw`[{[,(]\s*${word}\s*[,}\])]`).test(text)
  );
}

/** `.vuepress/components`, and where unplugin-vue-components looks. */
function componentFolders(readText: ReadText): readonly string[] {
  const folders = LEVELS.map((level) => `${level}.vuepress/components`);
  const settings = firstFile(
    SETTINGS.filter((path) => readText(path)?.includes('unplugin-vue-components') === true),
    readText,
  );
  if (settings === undefined) return folders;
  const level = /^(?:\.\.\/)*/.exec(settings.path)?.[0] ?? '';
  const said =
    /\bdirs\s*:\s*(\[[^\]]{0,2000}\]|['"][^'"\n]*['"])/.exec(settings.text)?.[1] ?? "'src/components'";
  const dirs = [...said.matchAll(/['"]([^'"\n]+)['"]/g)].map(([, folder = '']) =>
    posix.join(level, folder).replace(/\/$/, ''),
  );
  return [...dirs, ...folders];
}

type ReadText = IncludingPage['page']['readText'];

interface FoundFile {
  readonly path: string;
  readonly text: string;
}

function firstFile(paths: readonly string[], readText: ReadText): FoundFile | undefined {
  for (const path of paths) {
    const text = readText(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
