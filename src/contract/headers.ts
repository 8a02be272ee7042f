/**
 * Help beyond the spec travels in headers only, so bodies stay exactly as documented. A client that does not
 * know them loses nothing.
 */
export const HEADERS = {
  /** On every reply of our service: which gaps it fills, as a comma-separated list. See CAPABILITY_TOKENS. */
  capabilities: 'KB-Capabilities',
  /** On every successful article write: the `last_edited_date` that the list will show for the original, to the letter. */
  lastEdited: 'KB-Last-Edited',
  /**
   * Beside KB-Last-Edited: what the list showed before this write. A client that wrote the record twice can tell by it
   * whether somebody else wrote in between.
   */
  previousEdited: 'KB-Previous-Edited',
  /** On lists: how many records there are, so a list is known to be whole. */
  totalCount: 'X-Total-Count',
  /** On lists of a service whose languages are set: the one of the originals, `de`. */
  defaultLanguage: 'KB-Default-Language',
  idempotencyKey: 'Idempotency-Key',
  /** On lists of a service that keeps sets of old addresses, and on what replaces one: `acme-docs=3f2a, shop=90bc`. See REDIRECT_ROUTES. */
  redirectSets: 'KB-Redirect-Sets',
  /**
   * On the answer to a write that was sent with `Prefer: list-tags`: the ETags of each list that the write moved, just before it and just
   * after it: `"articles.6Rk" "articles.b0w", "tags.9aa" "tags.x2Q"`. Who has the list of the first has, with its own write, that of the second.
   */
  listTags: 'KB-List-Tags',
} as const;

/**
 * `location` a create answers with Location · `if-match` a stale If-Match is refused with 412 · `idempotency-key` a
 * repeated key is done once · `read-lang` single reads take `?lang=` · `edit-lang` an edit with `lang` leaves the
 * original alone · `full-lists` lists hold every record · `last-edited` writes carry KB-Last-Edited ·
 * `keeps-html` HTML comes back byte for byte · `list-etag` the ETag of a list moves with every write that the list shows,
 * and `If-None-Match` on it is answered with 304.
 */
export const CAPABILITY_TOKENS = [
  'location',
  'if-match',
  'idempotency-key',
  'read-lang',
  'edit-lang',
  'full-lists',
  'last-edited',
  'keeps-html',
  'list-etag',
] as const;
/** RFC 7240: in `Prefer`, asks to be told KB-List-Tags. Of services that say `list-etag`. */
export const LIST_TAGS_PREFERENCE = 'list-tags' as const;
/** No gap: the help centre of the service leads an address that a slug leaves to where its record is now. */
export const REDIRECTS_TOKEN = 'redirects' as const;
export type CapabilityToken = (typeof CAPABILITY_TOKENS)[number];
