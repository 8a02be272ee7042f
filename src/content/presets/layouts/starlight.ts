import { SYNTAX } from '../syntax/syntaxes.ts';
import { DOLLARS, formulaSigns } from '../syntax/formulas.ts';
import type { NavigationItem } from '../pages/navigation.ts';
import { textsOf, valueAt } from '../pages/side-file.ts';
import { withRedirects } from '../pages/redirected.ts';
import type { SiteRedirect } from '../pages/redirected.ts';
import { sidebarPages } from '../pages/sidebar.ts';
import type { PageAt } from '../pages/sidebar.ts';
import { givenTo, isCall } from '../settings/literals.ts';
import { settingAt, siteSettings } from '../settings/site-settings.ts';
import { languageFinder } from '../pages/page-languages.ts';
import { pagePreset } from '../pages/page-preset.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { addressMap } from '../pages/site-redirects.ts';
import type { Preset } from '../preset.ts';
import { pageDialect } from '../pages/page-dialect.ts';

const INDEX = /^index$/;
/** `.mdoc` is Markdoc (https://starlight.astro.build/guides/authoring-content/#markdoc). */
const DOCUMENT = /\.md(?:x|oc)?$/i;
const SETTINGS = ['mjs', 'ts', 'js', 'mts'].map((form) => `astro.config.${form}`);

/** Astro's Starlight, `content: src/content/docs`: a folder per locale or a root locale, MDX, asides. */
export function starlightPreset(input: PresetInput): Preset {
  const { paths, defaultLanguage } = input;
  const find = languageFinder(paths, input, { hasFolders: true, hasSuffixes: false });
  const isRoot = paths.some(
    (path) => DOCUMENT.test(path) && !path.startsWith(`${find(path).languageFolder}/`),
  );
  const settings = siteSettings(input, SETTINGS);
  const [base] = textsOf(valueAt(settings.value, 'base'));
  const pages = sidebarPages(input, find, INDEX);
  const sidebar = settingAt(givenTo(valueAt(settings.value, 'integrations'), 'starlight'), 'sidebar');
  const nav = pages.navigation(sidebarItems(sidebar, pages.pageAt));
  const ending = paths.filter((path) => path.endsWith('.mdx')).length * 2 > paths.length ? '.mdx' : '.md';
  const preset = pagePreset(
    {
      name: 'starlight',
      tree: {
        documents: DOCUMENT,
        inLanguage: (path) => (/(?:^|\/)404\.md(?:x|oc)?$/.test(path) ? undefined : find(path)),
        index: INDEX,
        meta: nav.meta,
        isMdx: (path) => /\.mdx$/i.test(path),
      },
      target: {
        hasPrettyUrls: true,
        addressPrefixes: [],
        publicFolders: ['../../../public'],
        basePath: base,
        hasSluggedAddresses: true,
      },
      fileFor: (_, path, lang) =>
        `${lang === defaultLanguage && isRoot ? '' : `${lang}/`}${path === '' ? 'index' : path}${ending}`,
      folder: nav.folder,
      moved: addressMap(valueAt(settings.value, 'redirects'), {
        file: settings.path ?? '',
        text: settings.text,
        base,
      }),
      variable: (name) =>
        name === 'formulas' && settings.text.includes('remark-math') ? formulaSigns(DOLLARS) : undefined,
      sideFiles: settings.text,
      problems: settings.problems,
      dialect: pageDialect('starlight 7', SYNTAX.starlight, {
        // Astro reads TOML between `+++` too, and empty lines above either.
        form: 'hugo',
        fields: {
          ordering: ['sidebar.order'],
          priority: ['sidebar.order'],
          status: ['draft'],
          hideFromSearch: ['!pagefind', 'hideFromSearch'],
        },
        addressKeys: ['slug'],
        hasHeadingTitles: false,
        headingIds: 'astro',
      }),
    },
    input,
  );
  return withRedirects(preset, redirectsOf(settingAt(settings.value, 'redirects')));
}

/** `redirects` of Astro: `'/old': '/new'` or `'/old': { status, destination }`; `[name]` stands for a part of an address. */
function redirectsOf(value: unknown): readonly SiteRedirect[] {
  if (typeof value !== 'object' || value === null || isCall(value)) return [];
  return Object.entries(value).flatMap(([from, said]): readonly SiteRedirect[] => {
    const to: unknown = typeof said === 'string' ? said : valueAt(said, 'destination');
    const named = (address: string): string =>
      address.replaceAll(/\[(\.{3})?(\w+)\]/g, (_, all: string | undefined, name: string) =>
        all === undefined ? `:${name}` : `:${name}*`,
      );
    return typeof to === 'string' ? [{ from: named(from), to: named(to) }] : [];
  });
}

/** A slug, `{ slug }`, `{ label, link }`, `{ label, items }`, `{ label, autogenerate: { directory } }`. */
function sidebarItems(value: unknown, pageAt: PageAt): readonly NavigationItem[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown): readonly NavigationItem[] => {
    const [address] = textsOf(
      typeof entry === 'string' ? entry : (valueAt(entry, 'slug') ?? valueAt(entry, 'link')),
    );
    const [title] = textsOf(valueAt(entry, 'label'));
    if (address !== undefined) {
      const file = /^[a-z]+:/i.test(address) ? undefined : pageAt(address);
      return file === undefined ? [] : [{ file }];
    }
    const inside = valueAt(entry, 'items');
    const [only, second]: readonly unknown[] = Array.isArray(inside) ? inside : [];
    const made =
      valueAt(entry, 'autogenerate') ?? (second === undefined ? valueAt(only, 'autogenerate') : undefined);
    const [folder] = textsOf(valueAt(made, 'directory'));
    if (title === undefined) return [];
    return [folder === undefined ? { title, items: sidebarItems(inside, pageAt) } : { title, folder }];
  });
}
