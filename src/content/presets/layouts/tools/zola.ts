import { frontMatter } from '../../../front-matter/read.ts';
import type { FrontMatterKeys, Publication } from '../../preset.ts';
import type { PresetInput } from '../../pages/page-preset.ts';

/** What Zola says about the pages of a plain folder. */
interface ZolaRules {
  readonly hasDefinitionLists: boolean;
  readonly hasEmojiCodes: boolean;
  /** Folders of sections that are drafts, each with a `/` at its end; all folders: `''`. */
  readonly drafts: readonly string[];
  readonly isDraft: (file: string) => boolean;
  readonly publication: (page: FrontMatterKeys) => Publication | undefined;
}

const SECTION = /(?:^|\/)_index\.(?:[\w-]+\.)?md$/;

/** Folders from the content folder upwards: a section far below `content` is read without the rest. */
const UPWARDS = ['', '../', '../../', '../../../', '../../../../'];

/**
 * Zola, where its settings lie in the content folder or up to four folders above: a page with `render = false` is none
 * (https://www.getzola.org/documentation/content/page/), and with a section that is a draft Zola passes over all of its folder
 * (https://www.getzola.org/documentation/content/section/). Undefined: it is another site.
 */
export function zolaRules({
  paths,
  readText,
}: Pick<PresetInput, 'paths' | 'readText'>): ZolaRules | undefined {
  const home = UPWARDS.findIndex((folder) =>
    ['config.toml', 'zola.toml'].some((name) =>
      /^[ \t]*base_url[ \t]*=/m.test(readText(folder + name) ?? ''),
    ),
  );
  if (home === -1) return undefined;
  const settings = ['config.toml', 'zola.toml'].map((name) => readText((UPWARDS[home] ?? '') + name) ?? '');
  const above = UPWARDS.slice(1, Math.max(home, 1)).map((folder) => `${folder}_index.md`);
  const drafts = [...above, ...paths.filter((path) => SECTION.test(path))]
    .filter((path) => {
      const text = readText(path) ?? '';
      return /\bdraft\b/.test(text) && frontMatter(text, 'hugo').values.get('draft') === true;
    })
    .map((path) => (path.startsWith('../') ? '' : path.replace(/[^/]*$/, '')));
  return {
    // https://www.getzola.org/documentation/getting-started/configuration/
    hasEmojiCodes: settings.some((text) => /^[ \t]*render_emoji[ \t]*=[ \t]*true/m.test(text)),
    hasDefinitionLists: settings.some((text) => /^[ \t]*definition_list[ \t]*=[ \t]*true/m.test(text)),
    drafts,
    isDraft: (file) => drafts.some((folder) => file.startsWith(folder)),
    publication: ({ get, place }) =>
      place.kind === 'article' && get('render') === false ? { leftOut: '`render = false`' } : undefined,
  };
}
