import { once } from '../model/once.ts';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Parsers are loaded at their first use: together they cost more start-up time than a whole run that finds nothing
 * changed, and such a run parses nothing. `require`, because rendering is asked for by synchronous code.
 */
const require = createRequire(import.meta.url);

// The casts below name the module that the literal beside them loads.
export const grayMatter = once(() => require('gray-matter') as typeof import('gray-matter'));
export const jsYaml = once(() => require('js-yaml') as typeof import('js-yaml'));
export const yaml = once(() => require('yaml') as typeof import('yaml'));
export const smolToml = once(() => require('smol-toml') as typeof import('smol-toml'));
export const acorn = once(() => require('acorn') as typeof import('acorn'));
export const acornTypescript = once(
  () =>
    require(
      fileURLToPath(import.meta.resolve('@sveltejs/acorn-typescript')),
    ) as typeof import('@sveltejs/acorn-typescript'),
);
/** Regular expressions that others wrote; only settings that have some pay for it. */
export const re2js = once(() => require('re2js') as typeof import('re2js'));
export const ignore = once(() => require('ignore') as typeof import('ignore'));
export const sanitizeHtml = once(() => require('sanitize-html') as typeof import('sanitize-html'));
export const htmlparser2 = once(() => require('htmlparser2') as typeof import('htmlparser2'));
/** Names of emoji; only texts that may have codes of them pay for the list. */
export const gemoji = once(
  () => require(fileURLToPath(import.meta.resolve('gemoji'))) as typeof import('gemoji'),
);
/** satteri has no `require` entry; Node loads the file of its `import` entry as well (20.19 and later). */
export const satteri = once(
  () => require(fileURLToPath(import.meta.resolve('satteri'))) as typeof import('satteri'),
);

// Only pull and import convert HTML: nobody else pays for these.
export const parse5 = once(() => require('parse5') as typeof import('parse5'));
export const hastFromParse5 = once(
  () => require('hast-util-from-parse5') as typeof import('hast-util-from-parse5'),
);
export const hastToMdast = once(() => require('hast-util-to-mdast') as typeof import('hast-util-to-mdast'));
export const mdastToMarkdown = once(
  () => require('mdast-util-to-markdown') as typeof import('mdast-util-to-markdown'),
);
export const mdastGfm = once(() => require('mdast-util-gfm') as typeof import('mdast-util-gfm'));
