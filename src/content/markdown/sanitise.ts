import { find, html as HTML } from 'property-information';
import { sanitizeHtml } from '../parsers.ts';
import type { RawTag } from './raw-html.ts';

/** Part of a body's input digest: another list makes other HTML. */
export const SANITISER = 'sanitize-html 2.17.5, list 1';

const SAFE_SCHEMES = words('http https mailto tel sms ftp irc ircs xmpp ssh git');

const SAFE_TAGS = words(`
  h1 h2 h3 h4 h5 h6 p div section article aside blockquote hr pre ul ol li dl dt dd
  table caption colgroup col thead tbody tfoot tr th td figure figcaption details summary center
  a abbr b bdi bdo big br cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong
  sub sup time tt u var wbr img picture source video audio input`);

const EVERYWHERE = words(`
  id class title lang dir role align valign width height translate hidden aria-label aria-hidden aria-describedby
  aria-labelledby data-footnotes data-footnote-ref data-footnote-backref`);

const BY_TAG: Readonly<Record<string, string[]>> = {
  a: words('href name rel target download hreflang'),
  audio: words('src controls loop muted preload'),
  blockquote: words('cite'),
  col: words('span'),
  colgroup: words('span'),
  del: words('datetime cite'),
  details: words('open name'),
  font: words('color face size'),
  img: words('src alt loading decoding border'),
  input: words('type checked disabled'),
  ins: words('datetime cite'),
  li: words('value'),
  ol: words('start type reversed'),
  q: words('cite'),
  source: words('src type media'),
  table: words('border cellpadding cellspacing'),
  td: words('colspan rowspan headers'),
  th: words('colspan rowspan headers scope abbr'),
  time: words('datetime'),
  ul: words('type'),
  video: words('src poster controls loop muted playsinline preload'),
};

/** Tags whose text is code, a form's or a frame's, so it goes with them. */
export const WITH_TEXT: readonly string[] = words(`
  script style textarea option noscript xmp iframe noembed noframes plaintext template svg math title select object`);

const ADDRESSES = ['href', 'src', 'cite', 'poster'];
const KEPT = '`html: trust` keeps it';

/**
 * HTML with only what cannot do harm: tags, attributes and schemes from fixed lists; no scripts, styles, forms, frames,
 * event handlers, comments. Applied twice it changes nothing more.
 */
export function sanitise(html: string): string {
  let before = html;
  // A tag that is dropped may have kept two others from closing each other; the next pass sees them side by side.
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const after = sanitiseOnce(before);
    if (after === before) return after;
    before = after;
  }
  return before;
}

const PASSES_MAX = 20;

function sanitiseOnce(html: string): string {
  return sanitizeHtml()(html, {
    allowedTags: SAFE_TAGS,
    allowedAttributes: { ...BY_TAG, '*': EVERYWHERE },
    allowedSchemes: SAFE_SCHEMES,
    allowedSchemesAppliedToAttributes: ADDRESSES,
    allowProtocolRelative: true,
    nonTextTags: [...WITH_TEXT],
    nestingLimit: 100,
    exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
    transformTags: {
      input: (tagName, attribs) => ({ tagName, attribs: { ...attribs, disabled: '' } }),
      a: (tagName, attribs) => ({
        tagName,
        attribs: attribs['target'] === undefined ? attribs : { ...attribs, rel: 'noopener' },
      }),
    },
  });
}

export interface Dropped {
  readonly what: string;
  readonly reason: string;
  /** Offset in the piece of HTML. */
  readonly offset: number;
}

/** What `sanitise` will leave out of raw HTML with these tags; comments are not named, because nobody sees them. */
export function droppedFrom(tags: readonly RawTag[]): readonly Dropped[] {
  return tags.flatMap(({ name, attributes, start }): readonly Dropped[] => {
    const isBox = name !== 'input' || attributes['type'] === 'checkbox';
    if (!SAFE_TAGS.includes(name) || !isBox) {
      return [
        { what: `<${name}>`, reason: `the tag is not on the list of safe ones; ${KEPT}`, offset: start },
      ];
    }
    const unsafe = Object.keys(attributes).filter(
      (attribute) => !isSafeAttribute(name, attribute) && hasMeaning(attribute),
    );
    const schemes = Object.entries(attributes).filter(
      ([attribute, value]) => ADDRESSES.includes(attribute) && isOddAddress(value),
    );
    return [
      ...unsafe.map((attribute) => ({
        what: `${attribute} of <${name}>`,
        reason: `the attribute is not on the list of safe ones; ${KEPT}`,
        offset: start,
      })),
      ...schemes.map(([, value]) => ({ ...droppedAddress(value), offset: start })),
    ];
  });
}

/** Whether an address has a scheme that is not on the list (`javascript:`, `data:`, a drive letter). */
export function isOddAddress(url: string): boolean {
  const scheme = schemeOf(url);
  return scheme !== undefined && !SAFE_SCHEMES.includes(scheme);
}

export function droppedAddress(url: string): { readonly what: string; readonly reason: string } {
  const what = url.length > 60 ? `${url.slice(0, 60)}…` : url;
  return { what, reason: `\`${schemeOf(url) ?? ''}:\` addresses are not safe; ${KEPT}` };
}

/** As browsers read it: blanks and control characters anywhere in the scheme do not count. */
function schemeOf(url: string): string | undefined {
  if (!url.includes(':')) return undefined;
  return /^([a-z][a-z0-9+.-]*):/i.exec(url.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ''))?.[1]?.toLowerCase();
}

function isSafeAttribute(tag: string, attribute: string): boolean {
  return EVERYWHERE.includes(attribute) || (BY_TAG[tag]?.includes(attribute) ?? false);
}

/**
 * Not the words of other languages, such as `colname` and `rowsep` of DITA: no browser knows them, so no reader misses them. Nor `data-x`, which is for scripts of the site alone
 * (https://html.spec.whatwg.org/multipage/dom.html#embedding-custom-non-visible-data-with-the-data-*-attributes). What is spelled as frameworks do (`v-if`, `:href`) may be meant to work.
 */
function hasMeaning(attribute: string): boolean {
  if (/^data-/i.test(attribute)) return false;
  return !/^[a-z]+$/i.test(attribute) || find(HTML, attribute).property in HTML.property;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
