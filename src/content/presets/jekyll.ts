import { translateLiquid } from './liquid.ts';
import { languageFinder } from './page-languages.ts';
import type { InLanguage } from './page-languages.ts';
import { OWN_FIELDS, humanName, pagePreset } from './page-preset.ts';
import type { PresetInput } from './page-preset.ts';
import type { Preset } from './preset.ts';

const SYSTEM = /^(?:_(?:layouts|includes|data|sass|site|plugins)|vendor|node_modules)\/|^_config\.ya?ml$/;
const REPOSITORY_TEXT =
  /^(?:readme|contributing|changelog|license|code_of_conduct|security)\.(?:md|markdown)$/i;

/**
 * Jekyll, from the repository's root: pages, `_posts/2026-01-31-name.md`, `_drafts`, collections (`_docs/fr/page.md`),
 * Liquid. A file's title is its front matter's, else its name's.
 */
export function jekyllPreset(input: PresetInput): Preset {
  const collected = new Map(
    input.paths
      .filter((path) => !SYSTEM.test(path) && !REPOSITORY_TEXT.test(path))
      .map((path) => [path, plainPath(path)]),
  );
  const find = languageFinder([...collected.values()], input, { hasFolders: true, hasSuffixes: true });
  const inCollection = languageFinder(
    [...collected.values()].map((path) => path.slice(path.indexOf('/') + 1)),
    input,
    { hasFolders: true, hasSuffixes: true },
  );
  const inLanguage = (path: string): InLanguage | undefined => {
    const plain = collected.get(path);
    if (plain === undefined) return undefined;
    const slash = plain.indexOf('/');
    if (!path.startsWith('_') || slash < 0) return find(plain);
    const place = inCollection(plain.slice(slash + 1));
    return { ...place, rest: `${plain.slice(0, slash)}/${place.rest}` };
  };
  return pagePreset(
    {
      name: 'jekyll',
      tree: {
        documents: /\.(?:md|markdown)$/i,
        inLanguage,
        index: /^index$/,
        meta: ({ file, path, isIndex }) => ({
          ...(isIndex ? {} : { title: humanName(path) }),
          ...(file.startsWith('_drafts/') ? { isDraft: true } : {}),
        }),
      },
      target: { hasPrettyUrls: false, addressPrefixes: [], publicFolders: [] },
      fileFor: (_, path, lang) =>
        `${lang === input.defaultLanguage ? '' : `${lang}/`}${path === '' ? 'index' : path}.md`,
      dialect: {
        version: 'jekyll 1',
        form: 'strict',
        fields: {
          ...OWN_FIELDS,
          title: ['title'],
          name: ['title'],
          excerpt: ['description', 'excerpt'],
          description: ['description'],
          ordering: ['nav_order', 'order', 'weight'],
          priority: ['nav_order', 'order', 'weight'],
          status: ['published', 'draft'],
          hideFromSearch: ['search_exclude', '!search', 'hideFromSearch'],
          categories: ['categories', 'category'],
          tags: ['tags', 'tag'],
        },
        addressKeys: ['permalink', 'redirect_from'],
        hasCaselessKeys: false,
        hasHeadingTitles: false,
        translate: translateLiquid,
      },
    },
    input,
  );
}

/** Collections without `_`, posts without their dates. */
function plainPath(path: string): string {
  return path.replace(/^_/, '').replace(/^((?:posts|drafts)\/(?:.*\/)?)\d{4}-\d{1,2}-\d{1,2}-/, '$1');
}
