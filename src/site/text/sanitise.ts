import sanitizeHtml from 'sanitize-html';

/**
 * What may stand on a page of what the API was given. Anybody with a key can write there, so the same idea as
 * before the upload holds here again: tags, attributes and schemes from fixed lists.
 */
const TAGS = words(`
  h1 h2 h3 h4 h5 h6 p div section blockquote hr pre ul ol li dl dt dd
  table caption colgroup col thead tbody tfoot tr th td figure figcaption details summary
  a abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strong
  sub sup time u var wbr img picture source video audio input`);

const EVERYWHERE = words('id class title lang dir translate aria-label aria-hidden aria-describedby');

const BY_TAG: Readonly<Record<string, string[]>> = {
  a: words('href hreflang'),
  audio: words('src controls loop muted preload'),
  blockquote: words('cite'),
  col: words('span'),
  colgroup: words('span'),
  del: words('datetime'),
  details: words('open name'),
  img: words('src alt width height'),
  input: words('type checked'),
  ins: words('datetime'),
  li: words('value'),
  ol: words('start type reversed'),
  source: words('src srcset type media width height'),
  td: words('colspan rowspan headers align'),
  th: words('colspan rowspan headers scope abbr align'),
  time: words('datetime'),
  ul: words('type'),
  video: words('src poster controls loop muted playsinline preload width height'),
};

const LINK_SCHEMES = words('http https mailto tel sms ftp irc ircs xmpp ssh git');
const MEDIA_SCHEMES = words('http https');

/** Tags whose text is code, a form's or a frame's, so it goes with them. */
const WITH_TEXT = words(`
  script style textarea option noscript xmp iframe noembed noframes plaintext template svg math title select object`);

/** The classes that the site has rules for; others would let a text dress up as the page around it. */
const CLASS =
  /^(language-[\w+#.-]+|admonition|admonition-title|note|tip|info|important|warning|caution|danger|footnotes|sr-only|data-footnote-backref|contains-task-list|task-list-item|align-(?:left|right|center))$/;
/** The page's own ids begin so. */
export const PAGE_ID = 'site-';

/** HTML with only what cannot do harm: no script, style, form, frame, event handler or comment. */
export function sanitisedForPage(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: { ...BY_TAG, '*': EVERYWHERE },
    allowedSchemes: LINK_SCHEMES,
    allowedSchemesByTag: Object.fromEntries(
      words('img source video audio').map((tag) => [tag, MEDIA_SCHEMES]),
    ),
    allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster', 'srcset'],
    allowProtocolRelative: true,
    nonTextTags: WITH_TEXT,
    nestingLimit: 100,
    // The boxes of task lists, and nothing that somebody could type into.
    exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
  });
}

/** The tags that may be written at all. */
export function isSafeTag(name: string): boolean {
  return SAFE_TAGS.has(name);
}

const SAFE_TAGS = new Set(TAGS);

/** What is left of an attribute that the list lets through; undefined: nothing. */
export function safeAttribute(name: string, value: string): string | undefined {
  switch (name) {
    case 'class': {
      const kept = value.split(/\s+/).filter((word) => CLASS.test(word));
      return kept.length === 0 ? undefined : kept.join(' ');
    }
    case 'id':
      return value.startsWith(PAGE_ID) || value === '' || /\s/.test(value) ? undefined : value;
    case 'dir':
      return /^(?:ltr|rtl|auto)$/i.test(value) ? value : undefined;
    case 'align':
      return /^(?:left|right|center)$/i.test(value) ? value : undefined;
    case 'aria-hidden':
      return value === 'true' ? value : undefined;
    default:
      return value;
  }
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
