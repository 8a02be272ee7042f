import { createRequire } from 'node:module';

/** Only pull and import convert HTML, so that nobody else pays for these modules; `require`, because the callers are synchronous. */
const require = createRequire(import.meta.url);

// The casts below name the module that the literal beside them loads.
export const hastFromHtml = once(
  () => require('hast-util-from-html') as typeof import('hast-util-from-html'),
);
export const hastToMdast = once(() => require('hast-util-to-mdast') as typeof import('hast-util-to-mdast'));
export const mdastToMarkdown = once(
  () => require('mdast-util-to-markdown') as typeof import('mdast-util-to-markdown'),
);
export const mdastGfm = once(() => require('mdast-util-gfm') as typeof import('mdast-util-gfm'));

function once<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= load());
}
