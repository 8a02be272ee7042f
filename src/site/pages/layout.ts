import { homeOf, releasesOf, searchOf, suggestionsOf, tagsOf } from '../addresses.ts';
import type { Assets } from '../assets.ts';
import { html, type Html, markupOf, type Piece, trusted } from '../html.ts';
import { type NoMarkdown, noMarkdownNotice } from './no-markdown.ts';
import type { PlainPage } from './plain.ts';
import { structuredData } from './structured.ts';
import { directionOf, nativeName, isServed } from '../languages.ts';
import type { Footer, SiteLink } from '../look.ts';
import type { Reader } from '../reader.ts';

/** What all pages of a site share. */
export interface SiteFrame {
  readonly name: string;
  /** `https://help.example.com`, for addresses that must be whole. */
  readonly origin: string;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly assets: Assets;
  readonly hasReleases: boolean;
  readonly hasTags: boolean;
  /** Undefined: the reader's language has a sentence of its own. */
  readonly intro: string | undefined;
  readonly links: readonly SiteLink[];
  readonly footer: Footer;
  /** Everybody sees drafts: there is nothing to leave. */
  readonly showsDrafts: boolean;
  /** Readers are asked whether an article was helpful. */
  readonly asksHelpful: boolean;
  /** A translation says so if its original changed later. */
  readonly tellsOutdated: boolean;
}

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly description?: string;
  /** Language of the text, where it is not the reader's: a fallback. */
  readonly textLanguage?: string;
  /** Path of the page that search engines should name; undefined: the page is not for them. */
  readonly canonical?: string;
  /** Path per language in which the page really exists. */
  readonly alternates?: ReadonlyMap<string, string>;
  /** Path of the page in another language, which may be a fallback or a start page. */
  readonly inLanguage: (language: string) => { readonly path: string; readonly isMissing: boolean };
  readonly imageUrl?: string;
  /** Markdown was asked for: why this is none. */
  readonly noMarkdown?: NoMarkdown | undefined;
  /** Path of the page as Markdown. */
  readonly markdown?: string;
  /** What its Markdown form says; undefined: it has none. */
  readonly plain?: PlainPage;
  /** For search engines; the origin goes before paths. */
  readonly structured?: (origin: string) => readonly object[];
  readonly before?: Piece;
  readonly main: Html;
  readonly after?: Piece;
  /** A class for the style sheet: the columns differ. */
  readonly shape: 'home' | 'article' | 'family' | 'plain';
  /** The topics beside the page; on a small screen they open from the header. */
  readonly tree?: Html | undefined;
  /** The page has a large search field of its own. */
  readonly hasSearch?: boolean;
  /** False: the colours of its code come later. */
  readonly isWhole?: boolean;
  /** Path and query as asked, to come back to. */
  readonly self: string;
}

/** The whole document. */
export function documentOf(page: Page, reader: Reader, site: SiteFrame): string {
  const { words, spoken } = reader;
  const text = page.textLanguage ?? reader.language;
  const theme = reader.theme === 'system' ? undefined : html` data-theme="${reader.theme}"`;
  const document = html`<!doctype html>
    <html
      lang="${spoken}"
      dir="${directionOf(spoken)}"
      ${theme}
      data-copy="${words.copy}"
      data-copied="${words.copied}"
    >
      <head>
        ${headOf(page, site, reader)}
      </head>
      <body class="${page.shape}">
        <a class="skip" href="#site-main">${words.skip}</a>
        <p class="sr-only" aria-hidden="true">
          <a href="/llms.txt" tabindex="-1">Every page as Markdown: /llms.txt</a>
        </p>
        ${reader.isPreview && html`<p class="preview">${words.preview}${!site.showsDrafts && html` <a href="?preview=off">${words.leavePreview}</a>`}</p>`}
        ${page.noMarkdown && noMarkdownNotice(page.noMarkdown)} ${headerOf(page, reader, site)}
        <div class="page">
          ${treeOf(page, reader)}${page.before}
          <main id="site-main" tabindex="-1" lang="${text}" dir="${directionOf(text)}">${page.main}</main>
          ${page.after}
        </div>
        ${footerOf(page, reader, site)}
      </body>
    </html> `;
  return markupOf(document);
}

function headOf(page: Page, site: SiteFrame, reader: Reader): Html {
  const { name, origin, assets, defaultLanguage, languages } = site;
  const alternates = [...(page.alternates ?? [])].filter(([language]) => isServed(languages, language));
  const original = page.alternates?.get(defaultLanguage);
  const title = page.title === name ? name : `${page.title} · ${name}`;
  const isOpen = page.canonical !== undefined && !reader.isPreview;
  return html`<meta charset="utf-8" />
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${page.description && html`<meta name="description" content="${page.description}" />`}
    ${isOpen ? html`<link rel="canonical" href="${origin + page.canonical}" />` : html`<meta name="robots" content="noindex" />`}
    ${
      isOpen &&
      alternates.map(
        ([language, path]) => html`<link rel="alternate" hreflang="${language}" href="${origin + path}" /> `,
      )
    }${isOpen && original !== undefined && html`<link rel="alternate" hreflang="x-default" href="${origin + original}" />`}
    <meta property="og:type" content="${page.shape === 'article' ? 'article' : 'website'}" />
    ${isOpen && html`<meta property="og:url" content="${origin + page.canonical}" />`}
    <meta property="og:title" content="${page.title}" />
    <meta property="og:site_name" content="${name}" />
    ${page.description && html`<meta property="og:description" content="${page.description}" />`}
    ${page.imageUrl && html`<meta property="og:image" content="${page.imageUrl}" />`}
    <meta name="twitter:card" content="${page.imageUrl === undefined ? 'summary' : 'summary_large_image'}" />
    ${page.markdown && html`<link rel="alternate" type="text/markdown" href="${page.markdown}" />`}
    <link rel="icon" type="image/svg+xml" href="${assets.icon.path}" />
    <link rel="stylesheet" href="${assets.style.path}" />
    ${isOpen && page.structured && structuredData(page.structured(origin))}
    ${trusted(`<script src="${assets.script.path}" defer></script>`)}`;
}

function headerOf(page: Page, reader: Reader, site: SiteFrame): Html {
  const { words, language } = reader;
  return html`<header class="top">
    ${page.tree && treeButton(words.menu)}
    <a class="brand" href="${homeOf(language)}"
      ><img
        src="${site.assets.icon.path}"
        alt=""
        ${site.assets.isOwnIcon && html`width="28"`}
        height="28"
      /><span>${site.name}</span></a
    >
    ${page.hasSearch !== true && searchForm(reader, { query: '' })}
    ${site.links.length > 0 && html`<nav class="links" aria-label="${site.name}">${linkList(site.links)}</nav>`}
    <div class="tools">
      ${page.hasSearch !== true && html`<a class="tool find" href="${searchOf(language)}">${words.search}</a>`}
      ${site.languages.length > 1 && languageMenu(page, reader, site)} ${themeMenu(page, reader)}
    </div>
  </header>`;
}

const TREE_ID = 'site-tree';

/** The browser itself opens and closes what a button of this kind names, and closes it at Escape. */
function treeButton(label: string): Html {
  return html`<button class="tool drawer" type="button" popovertarget="${TREE_ID}">
    <span class="sr-only">${label}</span><span class="bars" aria-hidden="true"></span>
  </button>`;
}

/** Beside the page where there is room, else a drawer: one list for both. */
function treeOf({ tree }: Page, { words, spoken }: Reader): Html | undefined {
  return (
    tree &&
    html`<nav class="tree" id="${TREE_ID}" popover aria-label="${words.categories}" lang="${spoken}">
      ${tree}
    </nav>`
  );
}

function linkList(links: readonly SiteLink[]): Html {
  return html`<ul>
    ${links.map(({ text, url }) => html`<li><a href="${url}">${text}</a></li>`)}
  </ul>`;
}

/** A plain form: it works everywhere, the script only adds a key that leads to it. */
export function searchForm(
  { words, language }: Reader,
  { query, isLarge = false }: { readonly query: string; readonly isLarge?: boolean },
): Html {
  return html`<search${isLarge && html` class="large"`}><form action="${searchOf(language)}" method="get" data-suggest="${suggestionsOf(language)}" data-label="${words.suggestions}">
<label class="sr-only" for="site-query">${words.searchHint}</label>
<input type="search" id="site-query" name="q" value="${query}" placeholder="${words.searchHint}" autocomplete="off" maxlength="200" enterkeyhint="search" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<button type="submit">${words.search}</button>
</form></search>`;
}

function languageMenu(page: Page, { words, language }: Reader, site: SiteFrame): Html {
  return html`<details class="menu">
    <summary class="tool" data-code="${language}">
      <span class="sr-only">${words.language}: </span><span lang="${language}">${nativeName(language)}</span>
    </summary>
    <ul>
      ${site.languages.map((other) => {
        const { path, isMissing } = page.inLanguage(other);
        const current = other === language && html` aria-current="true"`;
        const mark = isMissing && html` <small>${words.notTranslated}</small>`;
        return html`<li>
          <a href="${path}" ${current}
            ><span lang="${other}" dir="${directionOf(other)}">${nativeName(other)}</span>${mark}</a
          >
        </li>`;
      })}
    </ul>
  </details>`;
}

function themeMenu(page: Page, { words, theme }: Reader): Html {
  const choices = [
    ['system', words.system],
    ['light', words.light],
    ['dark', words.dark],
  ] as const;
  return html`<details class="menu theme">
    <summary class="tool" title="${words.theme}">
      <span class="sr-only">${words.theme}</span><span class="disc" aria-hidden="true"></span>
    </summary>
    <form method="post" action="/_site/theme">
      <input type="hidden" name="to" value="${page.self}" />
      <ul>
        ${choices.map(
          ([value, label]) =>
            html`<li>
              <button type="submit" name="theme" value="${value}" aria-pressed="${String(theme === value)}">
                ${label}
              </button>
            </li>`,
        )}
      </ul>
    </form>
  </details>`;
}

function footerOf(page: Page, { words, language }: Reader, site: SiteFrame): Html {
  const { text, links = [] } = site.footer;
  // The header has no room for them on a small screen.
  const narrow = site.links.map(
    ({ text, url }) => html`<li class="narrow"><a href="${url}">${text}</a></li>`,
  );
  return html`<footer class="bottom">
    <p>
      ${text === undefined ? html`<a href="${homeOf(language)}">${site.name}</a>` : html`<bdi>${text}</bdi>`}
    </p>
    <ul>
      ${narrow}${links.map((link) => html`<li><a href="${link.url}">${link.text}</a></li>`)}
      ${site.hasTags && html`<li><a href="${tagsOf(language)}">${words.tags}</a></li>`}
      ${site.hasReleases && html`<li><a href="${releasesOf(language)}">${words.releases}</a></li>`}
      ${page.markdown && html`<li><a href="${page.markdown}">Markdown</a></li>`}
    </ul>
  </footer>`;
}
