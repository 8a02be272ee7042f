import { frontMatter } from '../../../front-matter/read.ts';
import type { FrontMatterKeys, Publication } from '../../preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';

/** What Zola says about the pages of a plain folder. */
interface ZolaRules {
  /** Folders of sections that are drafts, each with a `/` at its end; all folders: `''`. */
  readonly drafts: readonly string[];
  readonly isDraft: (file: string) => boolean;
  readonly publication: (page: FrontMatterKeys) => Publication | undefined;
}

const SECTION = /(?:^|\/)_index\.(?:[\w-]+\.)?md$/;

/**
 * Zola, where its settings lie in the content folder or above: a page with `render = false` is none
 * (https://www.getzola.org/documentation/content/page/), and with a section that is a draft Zola passes over all of its folder
 * (https://www.getzola.org/documentation/content/section/). Undefined: it is another site.
 */
export function zolaRules({
  paths,
  readText,
}: Pick<PresetInput, 'paths' | 'readText'>): ZolaRules | undefined {
  const isZola = ['../config.toml', '../zola.toml', 'config.toml', 'zola.toml'].some((path) =>
    /^[ \t]*base_url[ \t]*=/m.test(readText(path) ?? ''),
  );
  if (!isZola) return undefined;
  const drafts = paths
    .filter((path) => SECTION.test(path))
    .filter((path) => {
      const text = readText(path) ?? '';
      return /\bdraft\b/.test(text) && frontMatter(text, 'hugo').values.get('draft') === true;
    })
    .map((path) => path.replace(/[^/]*$/, ''));
  return {
    drafts,
    isDraft: (file) => drafts.some((folder) => file.startsWith(folder)),
    publication: ({ get, place }) =>
      place.kind === 'article' && get('render') === false ? { leftOut: '`render = false`' } : undefined,
  };
}
