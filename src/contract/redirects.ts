import { z } from 'zod';
import type { Route, RouteName } from './routes.ts';
import { idText, OLD_ADDRESS, TARGET_ADDRESS } from './texts.ts';

/** Lines of one set. */
export const REDIRECT_LINES_MAX = 20_000;
/** Of the body that replaces a set. */
export const REDIRECT_BYTES_MAX = 4 * 1024 * 1024;
/** Of an old address, in UTF-8: a database keeps no longer ones in its index. */
const FROM_BYTES_MAX = 1_000;
const TO_BYTES_MAX = 8_000;
const encoder = new TextEncoder();

/** What a repository may be called; as `id` of kbsync.yaml. */
export const REPOSITORY_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,79}$/;

/** Why an old address cannot stand in a set; undefined: it can. */
export function oldAddressFault(from: string): string | undefined {
  if (!from.startsWith('/') || from.startsWith('//')) return 'must begin with one /';
  if (/[\p{Cc}#]/u.test(from)) return 'must be without # and control characters';
  const path = from.replace(/\?.*$/s, '');
  if (path.length > 1 && path.endsWith('/')) return 'must be without a slash at its end';
  if (from.normalize('NFC') !== from) return 'must be in Unicode form NFC';
  return tooLong(from, FROM_BYTES_MAX);
}

/** Why nothing can be led there; undefined: it can. `//host`, `/\host` and `/.//host` look like paths and are other hosts. */
export function targetFault(to: string): string | undefined {
  if (!/^(?:\/|https?:\/\/)\P{Cc}*$/iu.test(to)) return 'must begin with one / or with https://';
  const url = parsed(to);
  if (url === undefined) return 'is no address';
  if (to.startsWith('/') && (url.host !== 'x' || url.pathname.startsWith('//')))
    return 'must begin with one / only';
  return tooLong(to, TO_BYTES_MAX);
}

/** `URL.canParse` of Node 20 and 22 says no to addresses with an `é` after some thousand calls (src/text/url.ts). */
function parsed(to: string): URL | undefined {
  try {
    return new URL(to, 'http://x');
  } catch {
    return undefined;
  }
}

function tooLong(address: string, bytesMax: number): string | undefined {
  if (encoder.encode(address).length <= bytesMax) return undefined;
  return `is longer than ${bytesMax} bytes`;
}

/** `said`: the same for the OpenAPI document. */
function address(
  faultOf: (text: string) => string | undefined,
  said: { readonly description: string; readonly pattern: string },
): z.ZodType<string, string> {
  return z
    .string()
    .superRefine((text, context) => {
      const message = faultOf(text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta(said);
}

/** An old address, and where it leads. */
export const redirectLine = z.strictObject({
  /** From the root, decoded, with its query if it has one, without a slash at its end and without `#`. */
  from: address(oldAddressFault, {
    description: `A path from the root, decoded, in Unicode form NFC, with its query if it has one. At most ${FROM_BYTES_MAX} bytes.`,
    pattern: OLD_ADDRESS,
  }),
  /** A path from the root, or a whole address. */
  to: address(targetFault, {
    description: `A path from the root, or a whole address. Paths with an empty part and hosts in other scripts are taken as well. At most ${TO_BYTES_MAX} bytes.`,
    pattern: TARGET_ADDRESS,
  }),
  /** The client's name of the record that it leads to. */
  key: idText.max(1_000).optional(),
});
export type RedirectLine = z.infer<typeof redirectLine>;

export const redirectSetBody = z.strictObject({
  /** The client's word for what the set was made of; lists tell it. */
  tag: z.string().regex(/^[0-9a-f]{1,64}$/, 'must be 1 to 64 hexadecimal digits'),
  redirects: z.array(redirectLine).max(REDIRECT_LINES_MAX),
});
export type RedirectSetBody = z.infer<typeof redirectSetBody>;

export const redirectSetReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.strictObject({
    repository: z.string(),
    /** Empty: there is no set. */
    tag: z.string(),
    redirects: z.array(redirectLine),
  }),
});

export const redirectsWrittenReply = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  data: z.strictObject({
    repository: z.string(),
    tag: z.string(),
    /** Addresses of this set that another repository had before: they lead where its set says. */
    claimed: z.array(z.strictObject({ from: z.string(), by: z.string() })),
  }),
});

/**
 * Beyond the spec, and announced with `redirect-sets` in KB-Capabilities: old addresses of pages, one set for each repository. The
 * help centre looks there only if it has nothing at an address. `?repository=` names the set.
 */
export const REDIRECT_ROUTES = {
  readRedirects: { method: 'GET', path: '/api/v2/redirects', reply: redirectSetReply },
  replaceRedirects: {
    method: 'PUT',
    path: '/api/v2/redirects',
    body: redirectSetBody,
    reply: redirectsWrittenReply,
  },
} as const satisfies Record<string, Route>;

/** The lists that every sync reads; their answers tell which sets there are. */
export const TELLING_LISTS: ReadonlySet<string> = new Set<RouteName>([
  'listArticles',
  'listCategories',
  'listTags',
]);

/** What stands in KB-Capabilities of a service that keeps sets of old addresses. */
export const REDIRECT_SETS_TOKEN = 'redirect-sets' as const;
/** In the header of lists: there are more sets than it tells. */
export const MORE_SETS = '*' as const;
