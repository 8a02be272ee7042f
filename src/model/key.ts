/** The three kinds of record the API knows, in the order in which they must be written. */
export const KINDS = ['category', 'tag', 'article'] as const;
export type Kind = (typeof KINDS)[number];

/** A record's name for ever, in one language: `article/getting-started/install@fr`. */
export type Key = string & { readonly __brand: 'Key' };

/** What all languages of one record share: `article/getting-started/install`. */
export type Family = string & { readonly __brand: 'Family' };

/** The service's name of a record. A plain text may become one; a key, a family or a language may not. */
export type RemoteId = string & { readonly __brand?: 'RemoteId' };

/** A language code as it is written in files and answers: `pt-BR`. The same rule as for ids. */
export type Lang = string & { readonly __brand?: 'Lang' };

export interface KeyParts {
  readonly kind: Kind;
  readonly path: string;
  readonly lang: Lang;
}

/** `path` is POSIX, NFC, without extension and without a leading slash; `lang` is the code, not the folder. */
export function keyOf(kind: Kind, path: string, lang: Lang): Key {
  // The one place that makes keys: the brand is this cast.
  return `${kind}/${path}@${lang}` as Key;
}

export function familyOf(key: Key): Family {
  // A key minus its language is a family by definition.
  return key.slice(0, key.lastIndexOf('@')) as Family;
}

/** Where the files of a family stand in the folder of their kind: `getting-started/install`. */
export function pathOf(family: Family): string {
  return family.slice(family.indexOf('/') + 1);
}

export function keyIn(family: Family, lang: Lang): Key {
  return `${family}@${lang}` as Key;
}

export function familyFrom(kind: Kind, path: string): Family {
  return `${kind}/${path}` as Family;
}

export function langOf(key: Key): Lang {
  return key.slice(key.lastIndexOf('@') + 1);
}

/** Only a record in the default language can be created; the others are edits of it with `lang`. */
export function isOriginal(key: Key, { defaultLanguage }: { readonly defaultLanguage: Lang }): boolean {
  return langOf(key) === defaultLanguage;
}

/** A record of the service as one text. Ids are unique within a kind only, as far as the spec says. */
export function idKey(kind: Kind, id: RemoteId): string {
  return `${kind} ${id}`;
}

export function kindOf(key: Key | Family): Kind {
  const kind = key.slice(0, key.indexOf('/'));
  if (isKind(kind)) return kind;
  throw new Error(`bug: key ${key} has no kind`);
}

/** The parts of a key, or undefined when the text is not one (state files and command lines are edited by hand). */
export function parseKey(text: string): KeyParts | undefined {
  const slash = text.indexOf('/');
  const at = text.lastIndexOf('@');
  const kind = text.slice(0, slash);
  if (slash < 1 || at < slash + 2 || at === text.length - 1 || !isKind(kind)) return undefined;
  return { kind, path: text.slice(slash + 1, at), lang: text.slice(at + 1) };
}

export function isKind(text: string): text is Kind {
  return text === 'category' || text === 'tag' || text === 'article';
}
