import { z } from 'zod';

/**
 * The texts and numbers of bodies, with the rules of our service. zod checks the type; the service checks the rules
 * and says in words which one a value breaks. `meta` writes the same rules into the OpenAPI document, where lengths
 * count characters (Unicode code points) and patterns have the syntax of JavaScript with the flag `u`.
 */
export const TITLE_CHARS_MAX = 1000;
export const SLUG_CHARS_MAX = 255;
export const EXCERPT_CHARS_MAX = 160;
export const REFERENCES_MAX = 1000;
/** Beyond it, JSON numbers lose digits without a word. */
export const ORDER_MAX = Number.MAX_SAFE_INTEGER;

/** What no text holds: NUL, which PostgreSQL cannot store, and half a surrogate pair, which is no character. */
const NO_TEXT = '\\u0000\\ud800-\\udfff';
/** Control characters but tab and line breaks. */
const CONTROLS = `\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${NO_TEXT}`;
/** What turns the direction of the text around it. */
const BIDI = '\\u202a-\\u202e\\u2066-\\u2069';

/** Something that can be seen among what is allowed. */
function seen(refused: string, unseen: string): string {
  return `^[^${refused}]*[^${refused}${unseen}][^${refused}]*$`;
}

const ANY_TEXT = `^[^${NO_TEXT}]*$`;
const SLUG = `^(?!\\.{1,2}$)${seen(`\\p{Cc}${NO_TEXT}${BIDI}`, '\\p{Cf}\\s').slice(1)}`;

const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const LAST_LABEL = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const PORT = '(?::(?:\\d{1,4}|[1-5]\\d{4}))?';
const REST = '[^\\s\\p{Cc}\\p{Cs}]*';
const WHOLE_ADDRESS = `[Hh][Tt][Tt][Pp][Ss]?://(?![^/?#]*[Xx][Nn]--)(?:(?:${LABEL}\\.)*${LAST_LABEL}|${BYTE}(?:\\.${BYTE}){3})${PORT}(?:[/?#]${REST})?`;
const WEB_ADDRESS = `^(?:${WHOLE_ADDRESS}|(?![/\\\\]{2}|\\\\|[A-Za-z][A-Za-z0-9+.-]*:)${REST})$`;
/** Of a path, without what a browser may take for the begin of a host. */
const PATH_TARGET = `/(?![/\\\\])(?:(?!//|\\\\)[^\\s\\p{Cc}\\p{Cs}])*`;
/** Where an old address may lead. */
export const TARGET_ADDRESS = `^(?:${PATH_TARGET}|${WHOLE_ADDRESS})$`;
/** No slash at the end of its path but the first one, and no fragment. */
export const OLD_ADDRESS = '^/(?!/)(?:[^#?\\p{Cc}\\p{Cs}]*[^/#?\\p{Cc}\\p{Cs}])?(?:\\?[^#\\p{Cc}\\p{Cs}]*)?$';

const DAY =
  '(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  '|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const CLOCK_TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,9})?)?';
const ZONE = '[+-](?:[01]\\d|2[0-3]):?[0-5]\\d';
/** In the first and the last year a zone could lead out of the calendar. */
const DATE = `^(?:${DAY}(?:[Tt ]${CLOCK_TIME}[Zz]?)?|(?!0000|9999)${DAY}[Tt ]${CLOCK_TIME}${ZONE})$`;

/** BCP 47: language, script, region and one variant. More variants, extensions and private use are taken as well. */
const LANGUAGE =
  '^(?![Aa][Pp][Ii](?:-|$))[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\\d{3}))?(?:-(?:[A-Za-z0-9]{5,8}|\\d[A-Za-z0-9]{3}))?$';

/** Identifiers are opaque; one that no record has is answered with 422, in a path with 404. */
export const idText = z
  .string()
  .min(1)
  .meta({ pattern: `^[^${NO_TEXT}]+$` });
export const titleText = z
  .string()
  .min(1)
  .meta({
    description: 'Not blank, and without control characters; a tab or a line break is shown as a space.',
    maxLength: TITLE_CHARS_MAX,
    pattern: seen(CONTROLS, '\\s'),
  });
export const slugText = z.string().min(1).meta({
  description:
    'The last part of the address. It holds something that can be seen, and no control character; it is neither `.` nor `..`.',
  maxLength: SLUG_CHARS_MAX,
  pattern: SLUG,
});
export const excerptText = z.string().meta({ maxLength: EXCERPT_CHARS_MAX, pattern: ANY_TEXT });
export const plainText = z.string().meta({ pattern: ANY_TEXT });
export const htmlText = z.string().meta({
  description: 'HTML. Its elements are nested at most 256 deep.',
  pattern: ANY_TEXT,
});
export const contentText = z.string().meta({
  description: 'HTML. Its elements are nested at most 256 deep, and it links to at most 5,000 addresses.',
  pattern: ANY_TEXT,
});
export const webAddress = z.string().meta({
  description:
    'A web address, or a path on the site of the readers. Hosts in other scripts (IDN) and of IPv6 are taken as well.',
  pattern: WEB_ADDRESS,
});
export const dateText = z.string().meta({
  description:
    'ISO 8601. A date without a time means midnight, a time without a zone means UTC. `24:00` is taken as well.',
  pattern: DATE,
});
export const languageCode = z.string().min(1).meta({
  description:
    'BCP 47, in any case: language, script, region, variant. Codes with more subtags are taken as well, up to 35 characters.',
  maxLength: 35,
  pattern: LANGUAGE,
});
export const orderNumber = z.number().meta({ minimum: -ORDER_MAX, maximum: ORDER_MAX });
