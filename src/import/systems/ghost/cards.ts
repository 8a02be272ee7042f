import { renderedBody } from '../../../content/markdown/render.ts';
import { objectsIn, said, text } from '../../text/json-values.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';

/** Markdown of an old post or of a card. */
export function markdownHtml(markdown: string): string {
  return renderedBody(markdown, { links: new Map(), html: 'trust', needsSanitiser: false, lang: 'en' });
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
      return figure(`<img src="${escapedHtml(text(card['src']))}" alt="${escapedHtml(text(card['alt']))}">`);
    case 'gallery':
      return figure(
        objectsIn(card['images'])
          .map(
            (image) =>
              `<img src="${escapedHtml(text(image['src']))}" alt="${escapedHtml(text(image['alt']))}">`,
          )
          .join(''),
      );
    case 'code':
    case 'codeblock': {
      const language = said(card['language']);
      const named = language === undefined ? '' : ` class="language-${escapedHtml(language)}"`;
      return figure(`<pre><code${named}>${escapedHtml(text(card['code']))}</code></pre>`);
    }
    case 'hr':
    case 'horizontalrule':
      return '<hr>';
    case 'embed':
      return figure(text(card['html']));
    case 'bookmark': {
      const title = isJsonObject(card['metadata']) ? said(card['metadata']['title']) : undefined;
      const url = text(card['url']);
      return `<p><a href="${escapedHtml(url)}">${escapedHtml(title ?? url)}</a></p>`;
    }
    case 'callout':
      return `<blockquote>${text(card['calloutText'])}</blockquote>`;
    case 'toggle':
      return `<details><summary>${text(card['heading'])}</summary>${text(card['content'])}</details>`;
    default:
      return undefined;
  }
}
