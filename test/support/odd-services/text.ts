import { askedOf, changedRequest, isWrite, jsonOf } from './seam.ts';
import type { Json, Oddity } from './seam.ts';

/** What is stored is not what was sent. */
function rewriting(rewrite: (html: string) => string): Oddity {
  return () => (send) => async (request) => {
    const asked = askedOf(request);
    if (!isWrite(asked) || asked.kind === undefined) return send(request);
    const body = await jsonOf(request.clone());
    const name = asked.kind === 'article' ? 'content' : 'longDescription';
    const html = body[name];
    if (typeof html !== 'string') return send(request);
    return send(await changedRequest(request, { body: { ...body, [name]: rewrite(html) } }));
  };
}

/** As a web editor saves: other attributes, other white space, entities spelt out; comments stay. */
export const normalisedHtml: Oddity = rewriting((html) =>
  html
    .replaceAll('<p>', '<p dir="ltr">')
    .replaceAll('</p>', '</p>\n')
    .replaceAll('é', '&eacute;')
    .replaceAll(/[ \n]+$/g, ''),
);

export const commentsStripped: Oddity = rewriting((html) => html.replaceAll(/\s*<!--[\s\S]*?-->/g, ''));

/** Only paragraphs and plain text are left, comments too are taken out. */
export const sanitisedHtml: Oddity = rewriting((html) =>
  html.replaceAll(/\s*<!--[\s\S]*?-->/g, '').replaceAll(/<(?!\/?p>)[^>]*>/g, ''),
);

const OPTIONAL: Readonly<Record<string, Json>> = {
  article: { tags: [], hideFromSearch: false, seoBannerUrl: null, articleReviewDate: null },
  category: {
    categoryParent: null,
    description: null,
    longDescription: null,
    thumbnailUrl: null,
    iconUrl: null,
  },
  tag: { description: null, longDescription: null },
};

/** An edit that leaves an optional field out empties it. */
export const resetsLeftOut: Oddity = () => (send) => async (request) => {
  const asked = askedOf(request);
  if (asked.method !== 'POST' || asked.kind === undefined) return send(request);
  const body = await jsonOf(request.clone());
  return send(await changedRequest(request, { body: { ...OPTIONAL[asked.kind], ...body } }));
};
