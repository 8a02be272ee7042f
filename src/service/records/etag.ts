import { Refusal } from '../refusal.ts';

/** What an edit or delete finds; `etag` undefined: a translation that does not exist yet. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Names one version of one record. Version 0 of `<original>.<lang>` is a translation that does not exist yet. */
export function etagOf(id: string, version: number): string {
  return `"${id}.${version}"`;
}

export function etagOfMissing(originalId: string, lang: string): string {
  return `"${originalId}.${lang.toLowerCase()}.0"`;
}

/**
 * RFC 9110, 13.1: `If-Match` lists tags of which one must be the record's, compared strongly: a weak tag is nobody's
 * (`*`: the record must exist). `If-None-Match: *` demands that it does not exist; its tags are compared weakly.
 * @throws Refusal 412
 */
export function checkPreconditions(
  preconditions: Preconditions,
  found: { readonly what: string; readonly etag: string; readonly exists: boolean },
): void {
  const { ifMatch, ifNoneMatch } = preconditions;
  const headers = { ETag: found.etag };
  if (ifMatch !== undefined) {
    const holds = ifMatch.trim() === '*' ? found.exists : tagsOf(ifMatch).includes(found.etag);
    if (!holds) {
      throw new Refusal(
        412,
        `${found.what} is now ${found.exists ? 'version' : 'missing, tag'} ${found.etag}, not ${ifMatch}; read it again`,
        headers,
      );
    }
  }
  if (ifNoneMatch !== undefined) {
    if (isShown(ifNoneMatch, found)) {
      throw new Refusal(412, `${found.what} exists already, at ${found.etag}`, headers);
    }
  }
}

/** Whether `If-None-Match` names what there is, compared weakly: then a read of it is answered with 304. */
export function isShown(
  ifNoneMatch: string,
  { etag, exists }: { readonly etag: string; readonly exists: boolean },
): boolean {
  if (ifNoneMatch.trim() === '*') return exists;
  const wanted = opaque(etag);
  return tagsOf(ifNoneMatch).some((tag) => opaque(tag) === wanted);
}

/** RFC 9110, 8.8.3.2: what weak tags are compared by. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** RFC 9110, 8.8.3: a tag may hold a comma. What is no tag is left out. */
function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
