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
 * @throws Refusal 412, or 400 where a list is malformed
 */
export function checkPreconditions(
  preconditions: Preconditions,
  found: { readonly what: string; readonly etag: string; readonly exists: boolean },
): void {
  const { ifMatch, ifNoneMatch } = preconditions;
  const headers = { ETag: found.etag };
  if (ifMatch !== undefined) {
    const holds =
      ifMatch.trim() === '*' ? found.exists : wantedTags('If-Match', ifMatch).includes(found.etag);
    if (!holds) {
      throw new Refusal(
        412,
        `${found.what} is now ${found.exists ? 'version' : 'missing, tag'} ${found.etag}, not ${ifMatch}; read it again`,
        headers,
      );
    }
  }
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*') wantedTags('If-None-Match', ifNoneMatch);
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
  return (tagsOf(ifNoneMatch) ?? []).some((tag) => opaque(tag) === wanted);
}

/** RFC 9110, 8.8.3.2: what weak tags are compared by. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** RFC 9110, 8.8.3: a tag may hold a comma. Of a list that is malformed nobody knows what it was to say. */
function tagsOf(header: string): readonly string[] | undefined {
  return TAG_LIST.test(header) ? (header.match(TAG) ?? []) : undefined;
}

const TAG = /(?:W\/)?"[^"]*"/g;
const TAG_LIST = /^[\s,]*(?:(?:W\/)?"[^"]*"[ \t]*(?:,[\s,]*|$))*$/;

function wantedTags(name: string, header: string): readonly string[] {
  const tags = tagsOf(header);
  if (tags !== undefined) return tags;
  throw new Refusal(
    400,
    `${name} is ${header}, which is no list of entity tags; send a tag as a read shows it, such as "1.2", or *`,
  );
}
