import type { Kind, Value } from './service/row.ts';

/**
 * One file of a repository. Its text carries a mark that no other file has, with a number for each version of the text,
 * so that a judge finds it in whatever a service was sent, without knowing how a file becomes HTML.
 */
export interface Page {
  readonly kind: Kind;
  /** Below the kind folder, without extension. */
  readonly path: string;
  readonly language: string;
  readonly mark: string;
  readonly version: number;
  readonly title: string;
  /** Front matter besides the name; a missing key is not the file's. */
  readonly fields: Readonly<Record<string, Value>>;
  /** Markdown after the line with the mark. */
  readonly more: string;
}

export type Pages = ReadonlyMap<string, Page>;

/** `en/articles/install` */
export function placeOf({ kind, path, language }: Pick<Page, 'kind' | 'path' | 'language'>): string {
  return `${language}/${FOLDER[kind]}/${path}`;
}

/** `article/install@en`, as kbsync names it. */
export function keyOf({ kind, path, language }: Page): string {
  return `${kind}/${path}@${language}`;
}

export function tokenOf({ mark, version }: Page): string {
  return `${mark}v${version}`;
}

export function slugOfPage({ fields, path }: Page): string {
  const { slug } = fields;
  return typeof slug === 'string' ? slug : (path.split('/').at(-1) ?? path);
}

export function fileText(page: Page): string {
  const { kind, title, fields, more } = page;
  const lines = [
    `${kind === 'article' ? 'title' : 'name'}: ${JSON.stringify(title)}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
  return `---\n${lines.join('\n')}\n---\n\nThis is ${tokenOf(page)} in words.\n${more}`;
}

const FOLDER = { article: 'articles', category: 'categories', tag: 'tags' } as const;
