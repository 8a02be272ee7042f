import type { FrontMatterKeys } from '../preset.ts';

/**
 * The key by which a page's own front matter puts it behind a password; undefined: it is not. `password` is what plugins and themes of Hexo, Hugo (FixIt), MkDocs (encryptcontent),
 * VuePress (Hope, Plume), Quartz and Gatsby read, `encrypt` and `encrypted` are theirs without one of its own (hexo-blog-encrypt, cryptoid). A site may do that
 * by a program that no setting names, so the key counts in every layout.
 */
export function lockedBy(get: FrontMatterKeys['get']): string | undefined {
  const key = KEYS.find((each) => isSaid(get(each)));
  return key === undefined ? undefined : `\`${key}\``;
}

const KEYS = ['password', 'encrypt', 'encrypted'];

/** Nothing, `false`, an empty text and an empty list say that a page is open. */
export function isSaid(value: unknown): boolean {
  return (
    value !== undefined &&
    value !== null &&
    value !== false &&
    value !== '' &&
    !(Array.isArray(value) && value.length === 0)
  );
}
