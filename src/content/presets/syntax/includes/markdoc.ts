import { posix } from 'node:path';
import { tagArguments } from '../tag.ts';
import { lineRange } from './parts.ts';
import type { IncludeForm } from './form.ts';

/** Folders of partials below the one of the settings, which is the content folder or one of the two above it. */
const PARTIALS = ['.', '..', '../..'].map((above) => posix.join(above, 'markdoc/partials'));

/**
 * Markdoc: `{% partial file="part.md" /%}`, in Next.js from `markdoc/partials` (https://markdoc.dev/docs/nextjs#schema-path), in Astro from the page
 * (https://docs.astro.build/en/guides/integrations-guide/markdoc/#markdoc-partials).
 */
export const MARKDOC_PARTIAL: IncludeForm = {
  name: 'partial',
  *find(text, { file }) {
    for (const { 0: whole, 1: rest = '', index } of text.matchAll(
      /\{%[ \t]*partial[ \t]([^%\n]{0,1000}?)\/[ \t]*%\}/g,
    )) {
      const { file: written } = tagArguments(rest).named;
      if (written === undefined) continue;
      const files = [posix.dirname(file), ...PARTIALS].map((folder) => posix.join(folder, written));
      yield { start: index, end: index + whole.length, files, isRebased: true };
    }
  },
};

/** Dumi: `<embed src="./part.md"></embed>`, with `#L1-L10` for some lines (https://d.umijs.org/guide/markdown); a part by a pattern is left alone. */
export const DUMI_EMBED: IncludeForm = {
  name: 'embed',
  *find(text, { file }) {
    for (const { 0: whole, 1: path = '', 2: from, 3: to, index } of text.matchAll(
      /<embed[ \t]+src="(?![a-z]+:)([^"#\n]{1,500}\.md)(?:#L(\d+)(?:-L(\d+))?)?"[ \t]*(?:\/>|>[ \t]*(?:<\/embed>)?)/g,
    )) {
      const lines = to === undefined ? from : `${from ?? ''}:${to}`;
      yield {
        start: index,
        end: index + whole.length,
        files: [path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(file), path)],
        part: (part) => ({ text: lines === undefined ? part : (lineRange(lines, part) ?? part) }),
        isRebased: true,
      };
    }
  },
};
