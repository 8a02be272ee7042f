import { createHash } from 'node:crypto';
import { html, markupOf, trusted, type Html } from '../site/html.ts';

export interface Frame {
  readonly title: string;
  /** Stands behind the title, in the page only. */
  readonly mark?: Html;
  readonly style: string;
  readonly script?: string;
  /** Where and when, as facts. */
  readonly facts: readonly string[];
  readonly sum: string;
  /** Everything below the head of the page. */
  readonly body: readonly (Html | false)[];
}

/** Above the records of a kind. */
export const KIND_TITLES = { category: 'Categories', tag: 'Tags', article: 'Articles' } as const;
/** Beyond this much, changes are named without their texts. */
export const BYTES_MAX = 20_000_000;
/** So many changes are read one below the other; more are looked through by their titles. */
export const OPEN_MAX = 5;

/** One HTML file that asks nobody for anything: only its own style and script may run. */
export function framed({ title, mark, style, script, facts, sum, body }: Frame): string {
  const scripts = script === undefined ? '' : ` script-src 'sha256-${sha(script)}';`;
  const csp = `default-src 'none'; style-src 'sha256-${sha(style)}';${scripts} base-uri 'none'; form-action 'none'`;
  return markupOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${csp}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${title}</title>
          ${trusted(`<style>${style}</style>`)}
        </head>
        <body>
          <header>
            <h1>${title}${mark}</h1>
            <p class="where">${facts.join(' · ')}</p>
            <p class="sum">${sum}</p>
          </header>
          ${body} ${script !== undefined && trusted(`<script>${script}</script>`)}
        </body>
      </html> `,
  );
}

/** Nothing where there are no cards. */
export function section(title: string, cards: readonly Html[]): Html | false {
  return (
    cards.length > 0 &&
    html`<section>
      <h2>${title}</h2>
      ${cards}
    </section>`
  );
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
