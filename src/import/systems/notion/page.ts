import { basename } from 'node:path';
import { renderedBody } from '../../../content/markdown/render.ts';
import { digestOfText } from '../../../model/digest.ts';
import { said } from '../../text/json-values.ts';
import { oneLine } from '../../text/plain-text.ts';

/** A page of an export, of either form. */
export interface NotionPage {
  /** Without its ending. */
  readonly path: string;
  readonly file: string;
  readonly id: string;
  readonly title: string;
  /** Name in lower case → text; of several values a list with commas. */
  readonly properties: ReadonlyMap<string, string>;
  readonly summary?: string | undefined;
  readonly bannerUrl?: string | undefined;
  readonly html: string;
}

/** The title is the first line, because file names are cut; then properties up to the first empty line. */
export function markdownPage(path: string, text: string, lang: string): NotionPage {
  const [, title = '', rest = ''] = /^\s*# ([^\n]*)\n?([\s\S]*)$/.exec(text) ?? [undefined, '', text];
  const [, properties = ''] = /^\n*((?:[^\n:]{1,80}: [^\n]*(?:\n|$))+)(?:\n|$)/.exec(rest) ?? [];
  const pairs = properties.split('\n').flatMap((line): readonly (readonly [string, string])[] => {
    const colon = line.indexOf(': ');
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 2).trim()]];
  });
  const markdown = properties === '' ? rest : rest.slice(rest.indexOf(properties) + properties.length);
  const stem = path.replace(/\.md$/i, '');
  return {
    path: stem,
    file: path,
    id: idIn(path) ?? digestOfText(stem),
    title: said(oneLine(title)) ?? nameIn(path),
    properties: new Map(pairs),
    html: renderedBody(markdown, { links: new Map(), html: 'trust', needsSanitiser: false, lang }),
  };
}

export function idIn(path: string): string | undefined {
  return /([0-9a-f]{32})(?:_all)?(?:\.\w+)?$/i.exec(basename(path))?.[1]?.toLowerCase();
}

/** The file's name without the id. */
export function nameIn(path: string): string {
  return basename(path)
    .replace(/\.\w+$/, '')
    .replace(/_all$/, '')
    .replace(/\s*[0-9a-f]{32}$/i, '')
    .trim();
}
