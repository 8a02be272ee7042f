import { isJsonObject, type JsonObject } from '../../text/json-value.ts';

/** What kbsync reads of replies, as the API's text writes it, and frameworks that mark what is in their bin. */
const NAMES: readonly string[] = `
  success message data limit timezone languages isDraft newVersion categories tags label value id
  name content slug excerpt status language language_parent order_by parent_id description
  long_description tags_relationship tag_id article_relationships category_id tag_relationship
  article_id last_edited_date last_edited_Date hide_from_search article_review_date seo_banner_url
  thumbnail_url icon_url other_articles other_tags
  other_categories_categories_language_parentTocategories
  other_categories_categories_parent_idTocategories
  deleted_at deletedAt discarded_at trashed_at deleted is_deleted isDeleted trashed
`
  .trim()
  .split(/\s+/);

const TOLD: ReadonlySet<string> = new Set(NAMES);

/** `orderBy`, `OrderBy` and `order-by` are one name: frameworks spell all names of a reply in their own way. */
const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  NAMES.toReversed().map((name) => [lettersOf(name), name]),
);

/** Rows are nested no deeper. */
const DEPTH_MAX = 6;

/**
 * A reply with the names of the API's text, where the service spells them in another case or with other joints. A name that the
 * reply has as the text writes it is never overwritten; names that the text does not know stay as they are. Most services
 * spell them as told: then this is the reply itself, and only its first row was looked at.
 */
export function namedAsTold(reply: JsonObject): JsonObject {
  return isSpeltOtherwise(reply, 0) ? renamed(reply, 0) : reply;
}

function isSpeltOtherwise(value: unknown, depth: number): boolean {
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return isSpeltOtherwise(value[0], depth + 1);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => toldName(name, value) !== name || isSpeltOtherwise(inner, depth + 1),
  );
}

function renamed(value: JsonObject, depth: number): JsonObject {
  const inside = (inner: unknown): unknown => {
    if (depth >= DEPTH_MAX) return inner;
    if (Array.isArray(inner)) return inner.map(inside);
    return isJsonObject(inner) ? renamed(inner, depth + 1) : inner;
  };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [toldName(name, value), inside(inner)]),
  );
}

function toldName(name: string, beside: JsonObject): string {
  if (TOLD.has(name)) return name;
  const told = BY_LETTERS.get(lettersOf(name));
  return told === undefined || Object.hasOwn(beside, told) ? name : told;
}

/** What all spellings of a name have in common: `order_by`, `orderBy` and `OrderBy` are `orderby`. */
export function lettersOf(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
