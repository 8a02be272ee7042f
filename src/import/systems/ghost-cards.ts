import { renderedBody } from '../../content/render.ts';
import { isObject, objectsIn, said, text } from '../json-values.ts';
import type { JsonObject } from '../json-values.ts';

/** Markdown of an old post or of a card. */
export function markdownHtml(markdown: string): string {
  return renderedBody(markdown, { links: new Map(), html: 'trust', needsSanitiser: false, lang: 'en' });
}

export function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** What cards of both editors show; undefined for a card that shows nothing that is known. */
export function cardHtml(name: string, card: JsonObject): string | undefined {
  const caption = text(card['caption']);
  const figure = (inner: string): string =>
    caption === '' ? inner : `<figure>${inner}<figcaption>${caption}</figcaption></figure>`;
  switch (name) {
    case 'markdown':
    case 'card-markdown':
      return markdownHtml(text(card['markdown']));
    case 'html':
      return text(card['html']);
    case 'image':
      return figure(`<img src="${escaped(text(card['src']))}" alt="${escaped(text(card['alt']))}">`);
    case 'gallery':
      return figure(
        objectsIn(card['images'])
          .map((image) => `<img src="${escaped(text(image['src']))}" alt="${escaped(text(image['alt']))}">`)
          .join(''),
      );
    case 'code':
    case 'codeblock': {
      const language = said(card['language']);
      const named = language === undefined ? '' : ` class="language-${escaped(language)}"`;
      return figure(`<pre><code${named}>${escaped(text(card['code']))}</code></pre>`);
    }
    case 'hr':
    case 'horizontalrule':
      return '<hr>';
    case 'embed':
      return figure(text(card['html']));
    case 'bookmark': {
      const title = isObject(card['metadata']) ? said(card['metadata']['title']) : undefined;
      const url = text(card['url']);
      return `<p><a href="${escaped(url)}">${escaped(title ?? url)}</a></p>`;
    }
    case 'callout':
      return `<blockquote>${text(card['calloutText'])}</blockquote>`;
    case 'toggle':
      return `<details><summary>${text(card['heading'])}</summary>${text(card['content'])}</details>`;
    default:
      return undefined;
  }
}
