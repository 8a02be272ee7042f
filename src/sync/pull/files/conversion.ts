import { rooted } from '../../../content/html-to-markdown/own-addresses.ts';
import type { HtmlToMarkdownOptions } from '../../../content/html-to-markdown/options.ts';
import { saysHeadingIds } from '../../../content/splicing/constructs.ts';
import type { PageOptions } from '../../../content/splicing/page-parts.ts';
import type { BodyDraft } from '../../../content/options.ts';
import type { PresetName } from '../../../content/presets/names.ts';
import { recordAddress } from '../../../model/address/page-address.ts';
import type { PullRun } from '../context.ts';
import { fileLink, renamed } from './page-links.ts';
import type { Fetched } from '../reading/read-records.ts';

/** Systems that turn the path of a file into the address of its page; the others want the address. */
const FOLLOWS_FILES: ReadonlySet<PresetName> = new Set([
  'kbsync',
  'docusaurus',
  'mkdocs',
  'vitepress',
  'mdbook',
  'gitbook',
  'docsify',
  'vuepress',
  'docfx',
  'wiki',
  'nextra',
  'myst',
  'plain',
]);

/** How a page of the site is written as Markdown; with `draft` addresses are spelled as its author spells them. */
export function conversionOf(
  record: Fetched,
  file: string,
  { options, links }: Pick<PullRun, 'options' | 'links'>,
  draft?: BodyDraft,
): HtmlToMarkdownOptions {
  const { layout } = options;
  const address = recordAddress(layout.urls, record);
  const page = { file, address, anchors: record.anchors };
  const spelled = new Map(
    [...(draft?.links ?? [])].map(([written, sent]) => [rooted(sent, page, links.origin), written]),
  );
  const { foreign } = layout.preset;
  return {
    lang: record.lang,
    html: layout.html,
    clean: options.wanted.clean,
    makesHeadingIds: !saysHeadingIds(layout.preset.name),
    address: (url) => rooted(url, page, links.origin),
    link: (url) => {
      const own = spelled.get(url);
      if (own !== undefined) return own;
      const path = fileLink(url, page, links);
      if (path === url || foreign === undefined || FOLLOWS_FILES.has(layout.preset.name)) return path;
      const [bare = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url)?.slice(1) ?? [];
      const target = links.targets.get(bare);
      return target === undefined ? path : `/${foreign.address(target.file)}${rest}`;
    },
  };
}

/** How a file as it would be is held against the site, whose pages may still link to the addresses that others had before. */
export function judgedPage(
  record: Fetched,
  file: string,
  run: Pick<PullRun, 'options' | 'links'>,
): PageOptions {
  const { address = (url: string) => url, ...options } = conversionOf(record, file, run);
  return { ...options, address: (url) => renamed(address(url), run.links) };
}
